from annotate.nearness import nearest

CODES = [
    ("modify call without replacement", "The exchange call is used to drop an item."),
    ("required argument left empty", "A call that must say something says nothing."),
    ("guesses an id", "An id that nobody gave."),
    ("Überprüfung vergessen", ""),
]


def found(search, limit=9):
    return [phrase for phrase, _ in nearest(CODES, search, limit, lambda code: code)]


def test_the_beginning_of_a_word_finds_it():
    assert found("gue") == ["guesses an id"]
    assert found("modify call without repl")[0] == "modify call without replacement"


def test_another_ending_another_order_and_a_slip_find_it_too():
    assert found("guessed ids") == ["guesses an id"]
    assert found("empty arguments") == ["required argument left empty"]
    assert found("replacment") == ["modify call without replacement"]
    assert found("überprüfen") == ["Überprüfung vergessen"]


def test_words_of_the_definition_count_less():
    assert found("exchange") == ["modify call without replacement"]
    assert found("call") == ["modify call without replacement", "required argument left empty"]


def test_what_is_far_is_left_out_and_the_limit_holds():
    assert found("weather") == []
    assert found("call", limit=1) == ["modify call without replacement"]
    assert found("%_") == []
