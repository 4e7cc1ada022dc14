"""The protocols a project can be annotated by: one small class each."""

from annotate.protocols.attribution import Attribution
from annotate.protocols.base import Problem, Protocol, UnknownProtocol

PROTOCOLS: tuple[Protocol, ...] = (Attribution(),)


def protocol_of(name: str) -> Protocol:
    for protocol in PROTOCOLS:
        if protocol.name == name:
            return protocol
    raise UnknownProtocol(name, [each.name for each in PROTOCOLS])


__all__ = ["PROTOCOLS", "Problem", "Protocol", "UnknownProtocol", "protocol_of"]
