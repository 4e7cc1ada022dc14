from django.db import migrations


def forget(apps, schema_editor):
    """Comparisons are kept in another form; those of before are made again when the figures are computed next."""
    apps.get_model("adjudication", "KeptComparisons").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0001_initial")]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
