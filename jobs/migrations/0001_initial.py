import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('project', models.CharField(blank=True, max_length=60)),
                ('key', models.CharField(blank=True, max_length=200)),
                ('payload', models.JSONField(default=dict)),
                ('result', models.JSONField(default=dict)),
                ('errors', models.JSONField(default=list)),
                ('progress', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(null=True)),
                ('cost', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('by', models.CharField(blank=True, max_length=150)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'due_at'], name='jobs_job_state_1b876f_idx'), models.Index(fields=['project', '-created_at'], name='jobs_job_project_204b92_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'queued'), models.Q(('key', ''), _negated=True)), fields=('kind', 'key'), name='one_waiting_job_per_key'), models.CheckConstraint(condition=models.Q(('lease_until__isnull', False), models.Q(('state', 'running'), _negated=True), _connector='OR'), name='running_jobs_have_a_lease')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='job',
            trigger=pgtrigger.compiler.Trigger(name='jobs_move_by_their_table', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{queued:cancelled,queued:running,running:cancelled,running:done,running:failed,running:queued,running:running}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='64d82f1984c9ac2e1637770549a82e1c7a1a8060', operation='UPDATE', pgid='pgtrigger_jobs_move_by_their_table_a9730', table='jobs_job', when='BEFORE')),
        ),
    ]
