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
        ('taxonomy', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('figures', models.JSONField(default=dict)),
                ('as_of', models.DateTimeField(default=django.utils.timezone.now)),
                ('intervals_as_of', models.DateTimeField(null=True)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='agreement', to='annotate.project')),
            ],
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('ruled', 'Ruled'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                ('reasons', models.JSONField(default=list)),
                ('priority', models.FloatField(default=0)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('closed_at', models.DateTimeField(null=True)),
                ('held_until', models.DateTimeField(null=True)),
                ('draft', models.JSONField(default=dict)),
                ('judge_first', models.BooleanField(default=False)),
                ('is_check', models.BooleanField(default=False)),
                ('held_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='annotate.item')),
            ],
        ),
        migrations.CreateModel(
            name='DeclaredContrast',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a', models.CharField(max_length=400)),
                ('b', models.CharField(max_length=400)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('before_scoring', models.BooleanField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='contrasts', to='annotate.project')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FilteredFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('figures', models.JSONField(default=dict)),
                ('as_of', models.DateTimeField(default=django.utils.timezone.now)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='FirstLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('outcome', models.CharField(choices=[('critical', 'Critical'), ('all_recovered_or_harmless', 'All Recovered Or Harmless'), ('no_failure', 'No Failure'), ('cannot_tell', 'Cannot Tell')], max_length=30)),
                ('critical_step', models.PositiveIntegerField(null=True)),
                ('participant', models.CharField(blank=True, max_length=200)),
                ('category', models.CharField(blank=True, max_length=80)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_looks', to='adjudication.case')),
            ],
        ),
        migrations.CreateModel(
            name='GoldLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(choices=[('outcome', 'Outcome'), ('critical_step', 'Critical Step'), ('participant', 'Participant'), ('category', 'Category'), ('failures', 'Failures'), ('reason_for_root_cause', 'Reason'), ('failure_summary', 'Summary')], max_length=30)),
                ('value', models.JSONField(null=True)),
                ('basis', models.CharField(choices=[('single', 'Single'), ('consensus', 'Consensus'), ('adjudicated', 'Adjudicated')], max_length=12)),
                ('rests_on', models.JSONField(default=list)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold', to='annotate.item')),
            ],
        ),
        migrations.CreateModel(
            name='KeptComparisons',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by_item', models.JSONField(default=dict)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.project')),
            ],
        ),
        migrations.CreateModel(
            name='Routing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('accept', 'Accept'), ('annotate', 'Annotate'), ('waiting', 'Waiting'), ('adjudicate', 'Adjudicate')], max_length=10)),
                ('reasons', models.JSONField(default=list)),
                ('explanation', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='routing', to='annotate.item')),
            ],
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('outcome', models.CharField(choices=[('critical', 'Critical'), ('all_recovered_or_harmless', 'All Recovered Or Harmless'), ('no_failure', 'No Failure'), ('cannot_tell', 'Cannot Tell')], max_length=30)),
                ('failures', models.JSONField(default=list)),
                ('reason_for_root_cause', models.TextField(blank=True)),
                ('failure_summary', models.TextField(blank=True)),
                ('rationale', models.TextField()),
                ('cause', models.CharField(choices=[('slip', 'Slip'), ('guideline_unclear', 'Guideline Unclear'), ('category_unclear', 'Category Unclear'), ('truly_ambiguous', 'Truly Ambiguous')], max_length=20)),
                ('basis', models.JSONField(default=list)),
                ('cited_steps', models.JSONField(default=list)),
                ('guideline_note', models.TextField(blank=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to=settings.AUTH_USER_MODEL)),
                ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='adjudication.case')),
                ('proposal', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='taxonomy.proposal')),
            ],
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('item',), name='one_open_case_per_item'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('held_by', None), ('held_until', None)), models.Q(('held_by__isnull', False), ('held_until__isnull', False)), _connector='OR'), name='a_held_case_has_an_end'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='case',
            trigger=pgtrigger.compiler.Trigger(name='cases_move_by_their_table', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{open:ruled,open:withdrawn}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='a4afdccc1fb460da3a8bbb9d49e71ecf99319501', operation='UPDATE', pgid='pgtrigger_cases_move_by_their_table_07872', table='adjudication_case', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='declaredcontrast',
            constraint=models.UniqueConstraint(fields=('project', 'a', 'b'), name='a_contrast_is_declared_once'),
        ),
        migrations.AddConstraint(
            model_name='declaredcontrast',
            constraint=models.CheckConstraint(condition=models.Q(('a', models.F('b')), _negated=True), name='a_contrast_is_of_two_sources'),
        ),
        migrations.AddConstraint(
            model_name='filteredfigures',
            constraint=models.UniqueConstraint(fields=('project', 'user', 'key'), name='filtered_figures_are_kept_once'),
        ),
        migrations.AddConstraint(
            model_name='firstlook',
            constraint=models.UniqueConstraint(fields=('case', 'by'), name='one_first_look_per_adjudicator'),
        ),
        migrations.AddConstraint(
            model_name='firstlook',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('critical_step__isnull', False), ('outcome', 'critical')), models.Q(models.Q(('outcome', 'critical'), _negated=True), ('critical_step', None)), _connector='OR'), name='a_first_look_has_a_step_where_it_is_critical'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firstlook',
            trigger=pgtrigger.compiler.Trigger(name='first_looks_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='99531fa4e01dc67f798b7bf3073c98d7f4a3834e', operation='UPDATE OR DELETE', pgid='pgtrigger_first_looks_never_change_63632', table='adjudication_firstlook', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='goldlabel',
            constraint=models.UniqueConstraint(fields=('item', 'field'), name='one_gold_value_per_field'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('rationale', ''), _negated=True), name='a_ruling_has_a_rationale'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='rulings_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='5fab19a7a2f8b2622f00f4a03d5f9ebf499b4e2e', operation='UPDATE OR DELETE', pgid='pgtrigger_rulings_never_change_85ef7', table='adjudication_ruling', when='BEFORE')),
        ),
    ]
