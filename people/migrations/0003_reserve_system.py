from django.core.management import CommandError
from django.db import migrations, models


def require_free_name(apps, schema_editor):
    named = apps.get_model('people', 'User').objects.filter(username__iexact='system')
    if named.exclude(kind='system').exists():
        raise CommandError(
            'a person is called “system”, the name under which Assay itself acts: give them another user name first'
        )


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0002_attempt'),
    ]

    operations = [
        migrations.RunPython(require_free_name, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'system'), models.Q(('username__iexact', 'system'), _negated=True), _connector='OR'), name='nobody_else_is_called_system', violation_error_message='“system” is the name under which Assay itself acts; choose another name.'),
        ),
    ]
