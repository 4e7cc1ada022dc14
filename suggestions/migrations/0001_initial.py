import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('traces', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.CharField(max_length=60, unique=True)),
                ('model', models.CharField(max_length=100)),
                ('tasks', models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name='ModelTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=100, unique=True)),
                ('next_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='BudgetMonth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('budget', models.CharField(max_length=60)),
                ('month', models.DateField()),
                ('reserved', models.DecimalField(decimal_places=8, default=0, max_digits=16)),
                ('spent', models.DecimalField(decimal_places=8, default=0, max_digits=16)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('budget', 'month'), name='one_row_per_budget_and_month'), models.CheckConstraint(condition=models.Q(('reserved__gte', 0), ('spent__gte', 0)), name='money_is_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='Constraint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=20)),
                ('taxonomy_targets', models.JSONField(default=list)),
                ('trigger', models.JSONField(default=dict)),
                ('check_type', models.CharField(max_length=20)),
                ('check_body', models.JSONField(default=dict)),
                ('code', models.TextField(blank=True)),
                ('function_name', models.CharField(blank=True, max_length=200)),
                ('repairs', models.JSONField(default=list)),
                ('fault', models.CharField(blank=True, max_length=500)),
                ('hint', models.TextField(blank=True)),
                ('severity', models.CharField(default='medium', max_length=20)),
                ('from_position', models.PositiveIntegerField(default=0)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('dataset', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='constraints', to='traces.dataset')),
                ('trajectory', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='constraints', to='traces.trajectory')),
            ],
        ),
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=100)),
                ('key', models.CharField(max_length=64)),
                ('counts', models.JSONField(default=dict)),
                ('not_evaluated', models.JSONField(default=list)),
                ('evaluated_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('trajectory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evaluations', to='traces.trajectory')),
            ],
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=100)),
                ('model', models.CharField(max_length=100)),
                ('protocol', models.CharField(max_length=60)),
                ('run', models.CharField(blank=True, max_length=100)),
                ('critical_step', models.PositiveIntegerField(null=True)),
                ('participant', models.CharField(blank=True, max_length=200)),
                ('category', models.CharField(blank=True, max_length=200)),
                ('ranking', models.JSONField(default=list)),
                ('reason', models.TextField(blank=True)),
                ('raw', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('trajectory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='traces.trajectory')),
            ],
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('reserved', 'Reserved'), ('done', 'Done'), ('failed', 'Failed'), ('lost', 'Lost')], default='reserved', max_length=8)),
                ('project', models.CharField(blank=True, max_length=60)),
                ('purpose', models.CharField(max_length=60)),
                ('prompt', models.CharField(max_length=80)),
                ('model', models.CharField(max_length=100)),
                ('run', models.CharField(blank=True, max_length=100)),
                ('reserved', models.DecimalField(decimal_places=8, default=0, max_digits=16)),
                ('cost', models.DecimalField(decimal_places=8, max_digits=16, null=True)),
                ('estimated_tokens', models.PositiveIntegerField(default=0)),
                ('input_tokens', models.PositiveIntegerField(default=0)),
                ('output_tokens', models.PositiveIntegerField(default=0)),
                ('latency_ms', models.PositiveIntegerField(default=0)),
                ('answer', models.TextField(blank=True)),
                ('refused', models.BooleanField(default=False)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('lease_until', models.DateTimeField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('settled_at', models.DateTimeField(null=True)),
                ('month', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='suggestions.budgetmonth')),
                ('trajectory', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='traces.trajectory')),
            ],
        ),
        migrations.CreateModel(
            name='Violation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveIntegerField()),
                ('evidence', models.JSONField(default=dict)),
                ('source', models.CharField(max_length=100)),
                ('run', models.CharField(blank=True, max_length=100)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('constraint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='violations', to='suggestions.constraint')),
                ('trajectory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='violations', to='traces.trajectory')),
            ],
        ),
        migrations.AddIndex(
            model_name='constraint',
            index=models.Index(fields=['dataset', 'name'], name='suggestions_dataset_c62715_idx'),
        ),
        migrations.AddConstraint(
            model_name='constraint',
            constraint=models.CheckConstraint(condition=models.Q(('trajectory', None), ('dataset__isnull', False), _connector='OR'), name='a_run_is_in_its_dataset'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.UniqueConstraint(fields=('trajectory', 'source'), name='one_evaluation_per_source'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.UniqueConstraint(fields=('trajectory', 'source', 'model', 'protocol', 'run'), name='a_judgement_is_given_once'),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['project', '-created_at'], name='suggestions_project_dfd301_idx'),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['key'], name='suggestions_key_ff519c_idx'),
        ),
        migrations.AddConstraint(
            model_name='modelcall',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['reserved', 'done'])), fields=('key',), name='a_question_is_asked_once'),
        ),
        migrations.AddConstraint(
            model_name='modelcall',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'reserved'), ('settled_at__isnull', False), _connector='OR'), name='what_is_over_is_settled'),
        ),
        migrations.AddConstraint(
            model_name='violation',
            constraint=models.UniqueConstraint(fields=('trajectory', 'constraint', 'step', 'source', 'run'), name='a_violation_is_said_once'),
        ),
    ]
