import django.db.models.deletion
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
            name='Blob',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('media_type', models.CharField(max_length=80)),
                ('size', models.PositiveBigIntegerField()),
                ('content', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Dataset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('native_index', models.IntegerField(null=True)),
                ('native_id', models.CharField(blank=True, max_length=200)),
                ('role', models.CharField(blank=True, max_length=200)),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('kinds', models.JSONField(default=list)),
                ('preview', models.CharField(blank=True, max_length=200)),
                ('characters', models.PositiveIntegerField(default=0)),
                ('has_error', models.BooleanField(default=False)),
                ('blocks', models.JSONField(default=list)),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Trajectory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=100)),
                ('external_id', models.CharField(max_length=300)),
                ('external_id_is_int', models.BooleanField(default=False)),
                ('domain', models.CharField(blank=True, max_length=100)),
                ('task_cluster', models.CharField(blank=True, max_length=300)),
                ('format', models.CharField(max_length=40)),
                ('instruction', models.TextField(blank=True)),
                ('participants', models.JSONField(default=list)),
                ('layers', models.JSONField(default=dict)),
                ('origin', models.JSONField(default=dict)),
                ('n_steps', models.PositiveIntegerField()),
                ('digest', models.CharField(max_length=64)),
                ('imported_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('redacted_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name_plural': 'trajectories',
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='blob',
            trigger=pgtrigger.compiler.Trigger(name='blobs_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='e8eefc6071a51e0e127e1ac5b26c456a2b88c9e6', operation='UPDATE OR DELETE', pgid='pgtrigger_blobs_never_change_f77ec', table='traces_blob', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='trajectory',
            name='dataset',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trajectories', to='traces.dataset'),
        ),
        migrations.AddField(
            model_name='trajectory',
            name='policy',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='traces.blob'),
        ),
        migrations.AddField(
            model_name='trajectory',
            name='raw',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='traces.blob'),
        ),
        migrations.AddField(
            model_name='trajectory',
            name='toolset',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='traces.blob'),
        ),
        migrations.AddField(
            model_name='step',
            name='trajectory',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='traces.trajectory'),
        ),
        migrations.AddConstraint(
            model_name='trajectory',
            constraint=models.UniqueConstraint(fields=('dataset', 'source', 'external_id'), name='trajectory_identity'),
        ),
        migrations.AddConstraint(
            model_name='trajectory',
            constraint=models.CheckConstraint(condition=models.Q(('n_steps__gt', 0)), name='trajectory_has_steps'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='trajectory',
            trigger=pgtrigger.compiler.Trigger(name='trajectories_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='6f74557482afe60b5b5879a544d3fb18ca5a62e9', operation='UPDATE OR DELETE', pgid='pgtrigger_trajectories_never_change_41d71', table='traces_trajectory', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.UniqueConstraint(fields=('trajectory', 'position'), name='one_step_per_position'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='steps_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='a67553c6438003b4bceea19ef2e4428ba4956450', operation='UPDATE OR DELETE', pgid='pgtrigger_steps_never_change_1b1c8', table='traces_step', when='BEFORE')),
        ),
    ]
