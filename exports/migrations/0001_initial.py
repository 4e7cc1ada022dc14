import django.db.models.deletion
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotate', '0001_initial'),
        ('traces', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('labels', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('manifest', models.JSONField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='annotate.project')),
                ('rows', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='traces.blob')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='release_names_are_unique')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='releases_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='80bc00d82f602440261ec3bb88bf82abf8817c18', operation='UPDATE OR DELETE', pgid='pgtrigger_releases_never_change_8dfe5', table='exports_release', when='BEFORE')),
        ),
    ]
