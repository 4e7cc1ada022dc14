import annotate.models.projects
import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('suggestions', '0001_initial'),
        ('taxonomy', '0001_initial'),
        ('traces', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Annotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_current', models.BooleanField(default=True)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('submitted', 'Submitted')], default='draft', max_length=10)),
                ('process', models.CharField(choices=[('human', 'Human'), ('human_consensus', 'Human Consensus'), ('model', 'Model'), ('injected', 'Injected'), ('oracle', 'Oracle')], default='human', max_length=20)),
                ('exhaustive', models.BooleanField(default=True)),
                ('critical_definition', models.CharField(choices=[('first_unrecoverable', 'First Unrecoverable'), ('decisive', 'Decisive')], default='first_unrecoverable', max_length=20)),
                ('outcome', models.CharField(blank=True, choices=[('critical', 'Critical'), ('all_recovered_or_harmless', 'All Recovered Or Harmless'), ('no_failure', 'No Failure'), ('cannot_tell', 'Cannot Tell')], max_length=30)),
                ('confidence', models.FloatField(null=True)),
                ('reason_for_root_cause', models.TextField(blank=True)),
                ('failure_summary', models.TextField(blank=True)),
                ('raw', models.JSONField(default=dict)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('undoable', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('redoable', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('submitted_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Failure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('number', models.PositiveIntegerField()),
                ('anchor', models.CharField(choices=[('step', 'Step'), ('range', 'Range'), ('task', 'Task'), ('policy', 'Policy'), ('tools', 'Tools')], default='step', max_length=6)),
                ('first_step', models.PositiveIntegerField(null=True)),
                ('last_step', models.PositiveIntegerField(null=True)),
                ('participant', models.CharField(blank=True, max_length=200)),
                ('none_fits', models.BooleanField(default=False)),
                ('step_reason', models.TextField(blank=True)),
                ('category_reason', models.TextField(blank=True)),
                ('evidence', models.JSONField(default=list)),
                ('is_omission', models.BooleanField(default=False)),
                ('effect', models.CharField(blank=True, choices=[('recovered', 'Recovered'), ('harmless', 'Harmless'), ('persists', 'Persists'), ('unknown', 'Unknown')], max_length=10)),
                ('recovered_at', models.PositiveIntegerField(null=True)),
                ('recovered_by', models.CharField(blank=True, max_length=200)),
                ('suggested_by', models.CharField(blank=True, max_length=40)),
                ('is_critical', models.BooleanField(default=False)),
                ('raw', models.JSONField(default=dict)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='failures', to='annotate.annotation')),
                ('cause', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='effects', to='annotate.failure')),
                ('repeats', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='repeated_by', to='annotate.failure')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Coding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(max_length=60)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('category', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='codings', to='taxonomy.category')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.taxonomyversion')),
                ('failure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='codings', to='annotate.failure')),
            ],
        ),
        migrations.CreateModel(
            name='FailureCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveSmallIntegerField(default=0)),
                ('code', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='taxonomy.code')),
                ('failure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='annotate.failure')),
            ],
            options={
                'ordering': ['order'],
            },
        ),
        migrations.AddField(
            model_name='failure',
            name='codes',
            field=models.ManyToManyField(related_name='failures', through='annotate.FailureCode', to='taxonomy.code'),
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claimed_step', models.PositiveIntegerField(null=True)),
                ('exclusion_group', models.CharField(blank=True, max_length=100)),
                ('order', models.PositiveIntegerField(default=0)),
                ('wanted', models.PositiveSmallIntegerField(default=2)),
                ('settled_at', models.DateTimeField(null=True)),
                ('trajectory', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='traces.trajectory')),
            ],
        ),
        migrations.CreateModel(
            name='Exposure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.CharField(max_length=40)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exposures', to='annotate.item')),
            ],
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('held', 'Held'), ('submitted', 'Submitted'), ('skipped', 'Skipped'), ('expired', 'Expired')], default='held', max_length=10)),
                ('planned', models.BooleanField(default=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('claimed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('held_until', models.DateTimeField()),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('active_seconds', models.PositiveIntegerField(default=0)),
                ('spent', models.JSONField(default=dict)),
                ('ended_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotate.item')),
            ],
        ),
        migrations.AddField(
            model_name='annotation',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotate.item'),
        ),
        migrations.CreateModel(
            name='ItemMemo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('kind', models.CharField(choices=[('memo', 'memo'), ('comment', 'comment to the lead'), ('guideline', 'the guideline does not say'), ('reopen', 'asks to open it again')], default='memo', max_length=10)),
                ('step', models.PositiveIntegerField(null=True)),
                ('failure', models.CharField(blank=True, max_length=64)),
                ('text', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('reply', models.TextField(blank=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memos', to='annotate.item')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('protocol', models.CharField(default='attribution', max_length=20)),
                ('coding', models.CharField(choices=[('open', 'Open'), ('closed', 'Closed')], default='closed', max_length=6)),
                ('overlap', models.PositiveSmallIntegerField(default=2)),
                ('reveal', models.CharField(choices=[('never', 'Never'), ('after_phase_1', 'After Phase 1'), ('always', 'Always'), ('randomised', 'Randomised')], default='never', max_length=20)),
                ('reveal_unit', models.CharField(choices=[('trajectory', 'Trajectory'), ('assignment', 'Assignment')], default='trajectory', max_length=10)),
                ('layers', models.JSONField(default=list)),
                ('routing', models.JSONField(default=dict)),
                ('takes_definitions_as_one', models.BooleanField(default=False)),
                ('single_is_gold', models.BooleanField(default=False)),
                ('hold_minutes', models.PositiveSmallIntegerField(default=45)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('salt', models.CharField(default=annotate.models.projects.new_salt, max_length=32)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('closed_at', models.DateTimeField(null=True)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='projects', to='traces.dataset')),
                ('taxonomy_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='projects', to='taxonomy.taxonomyversion')),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('adjudicator', 'Adjudicator'), ('lead', 'Lead'), ('viewer', 'Viewer')], max_length=12)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotate.project')),
            ],
        ),
        migrations.AddField(
            model_name='item',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotate.project'),
        ),
        migrations.CreateModel(
            name='Example',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(max_length=80)),
                ('positive', models.BooleanField(default=True)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('failure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.failure')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='examples', to='annotate.project')),
            ],
            options={
                'ordering': ['-positive', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('key', models.CharField(max_length=64)),
                ('op', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('patch', models.JSONField()),
                ('inverse', models.JSONField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='revisions', to='annotate.annotation')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('revision', models.PositiveIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('state', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('planned', models.BooleanField(default=True)),
                ('assisted', models.BooleanField(default=False)),
                ('post_feedback', models.BooleanField(default=False)),
                ('outcome', models.CharField(choices=[('critical', 'Critical'), ('all_recovered_or_harmless', 'All Recovered Or Harmless'), ('no_failure', 'No Failure'), ('cannot_tell', 'Cannot Tell')], max_length=30)),
                ('critical_step', models.PositiveIntegerField(null=True)),
                ('participant', models.CharField(blank=True, max_length=200)),
                ('category', models.CharField(blank=True, max_length=80)),
                ('failure_steps', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='annotate.annotation')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.taxonomyversion')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='SuggestionEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('opened', 'Opened'), ('shown', 'Shown'), ('accepted', 'Accepted'), ('dismissed', 'Dismissed')], max_length=10)),
                ('failure', models.CharField(blank=True, max_length=64)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('annotation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='suggestion_events', to='annotate.annotation')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='suggestion_events', to='annotate.item')),
                ('judgement', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='suggestions.judgement')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('violation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='suggestions.violation')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.CharField(max_length=60)),
                ('question', models.CharField(max_length=60)),
                ('value', models.JSONField()),
                ('confidence', models.FloatField(null=True)),
                ('rationale', models.TextField(blank=True)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotate.annotation')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('annotation', 'unit', 'question'), name='a_question_is_answered_once')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='answers_are_frozen_by_submit', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF EXISTS (\n                SELECT 1 FROM annotate_annotation WHERE state = 'submitted' AND id IN (NEW.annotation_id, OLD.annotation_id)\n            ) THEN\n                RAISE EXCEPTION 'a submitted annotation is frozen';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='eb397351d23bea7989719d4816b95daa4f044cca', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_answers_are_frozen_by_submit_3da8b', table='annotate_answer', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='coding',
            constraint=models.UniqueConstraint(fields=('failure', 'version'), name='one_category_per_version'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='coding',
            trigger=pgtrigger.compiler.Trigger(name='a_category_is_of_the_version', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF NEW.category_id IS NOT NULL AND NOT EXISTS (\n                        SELECT 1 FROM taxonomy_category WHERE id = NEW.category_id AND version_id = NEW.version_id\n                    ) THEN\n                        RAISE EXCEPTION 'the category is not of this taxonomy version';\n                    END IF;\n                    RETURN NEW;\n                ", hash='4f81162ff1e791f53e83793f4db20ddd0a913330', operation='INSERT OR UPDATE', pgid='pgtrigger_a_category_is_of_the_version_2a031', table='annotate_coding', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='failurecode',
            constraint=models.UniqueConstraint(fields=('failure', 'code'), name='a_code_stands_once_on_a_failure'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='failurecode',
            trigger=pgtrigger.compiler.Trigger(name='codes_of_failures_are_frozen_by_submit', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF EXISTS (\n                SELECT 1 FROM annotate_annotation WHERE state = 'submitted' AND id IN ((SELECT annotation_id FROM annotate_failure WHERE id = NEW.failure_id), (SELECT annotation_id FROM annotate_failure WHERE id = OLD.failure_id))\n            ) THEN\n                RAISE EXCEPTION 'a submitted annotation is frozen';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='da22a263cd51ef3a10f4b0af0c067c5cf98df51a', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_codes_of_failures_are_frozen_by_submit_31a88', table='annotate_failurecode', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='failure',
            constraint=models.UniqueConstraint(fields=('annotation', 'key'), name='failure_keys_are_unique'),
        ),
        migrations.AddConstraint(
            model_name='failure',
            constraint=models.UniqueConstraint(condition=models.Q(('is_critical', True)), fields=('annotation',), name='one_critical_failure'),
        ),
        migrations.AddConstraint(
            model_name='failure',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('anchor', 'step'), ('first_step__isnull', False), ('last_step', models.F('first_step')), ('last_step__isnull', False)), models.Q(('anchor', 'range'), ('first_step__isnull', False), ('last_step__gt', models.F('first_step')), ('last_step__isnull', False)), models.Q(('anchor__in', ['task', 'policy', 'tools']), ('first_step', None), ('last_step', None)), _connector='OR'), name='an_anchor_has_its_steps'),
        ),
        migrations.AddConstraint(
            model_name='failure',
            constraint=models.CheckConstraint(condition=models.Q(('recovered_at', None), ('effect', 'recovered'), _connector='OR'), name='only_recovered_failures_recover'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='failure',
            trigger=pgtrigger.compiler.Trigger(name='failures_are_frozen_by_submit', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF EXISTS (\n                SELECT 1 FROM annotate_annotation WHERE state = 'submitted' AND id IN (NEW.annotation_id, OLD.annotation_id)\n            ) THEN\n                RAISE EXCEPTION 'a submitted annotation is frozen';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='53483dcfc0b56a7b73548de4f5de19feb39c1da6', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_failures_are_frozen_by_submit_de09c', table='annotate_failure', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='exposure',
            constraint=models.UniqueConstraint(fields=('item', 'user', 'to'), name='an_exposure_is_noted_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['held', 'submitted'])), fields=('item', 'user'), name='one_turn_per_person'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='assignment',
            trigger=pgtrigger.compiler.Trigger(name='assignments_move_by_their_table', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{held:expired,held:skipped,held:submitted,submitted:held}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='faf2b163e8657ab30c97e0656c49e64879e0ce28', operation='UPDATE', pgid='pgtrigger_assignments_move_by_their_table_82f20', table='annotate_assignment', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('item', 'user'), name='one_current_annotation_per_person_and_item'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'submitted'), _negated=True), models.Q(('outcome', ''), _negated=True), _connector='OR'), name='submitted_has_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'submitted'), ('submitted_at__isnull', False)), ('state', 'draft'), _connector='OR'), name='submitted_has_a_time'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.CheckConstraint(condition=models.Q(('confidence', None), models.Q(('confidence__gte', 0), ('confidence__lte', 1)), _connector='OR'), name='confidence_is_a_share'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='annotation',
            trigger=pgtrigger.compiler.Trigger(name='submitted_content_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."state" = \'submitted\' AND OLD."state" = \'submitted\')', func='RAISE EXCEPTION \'pgtrigger: Cannot update of "outcome", "confidence", "reason_for_root_cause", "failure_summary", "exhaustive", "critical_definition", "raw" rows from % table\', TG_TABLE_NAME;', hash='7090b49229bf502cd1818489b413fd0512c0a308', operation='UPDATE OF "outcome", "confidence", "reason_for_root_cause", "failure_summary", "exhaustive", "critical_definition", "raw"', pgid='pgtrigger_submitted_content_is_frozen_c54d5', table='annotate_annotation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='annotation',
            trigger=pgtrigger.compiler.Trigger(name='annotations_stay_their_authors', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."process" IS DISTINCT FROM (NEW."process") OR OLD."user_id" IS DISTINCT FROM (NEW."user_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='042f415265c726dc1d9858d01f98fba4ff6aca33', operation='UPDATE', pgid='pgtrigger_annotations_stay_their_authors_c445f', table='annotate_annotation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='annotation',
            trigger=pgtrigger.compiler.Trigger(name='annotations_move_by_their_table', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{draft:submitted,submitted:draft}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='3e74de677068394a42eeabed812259f2fd28be1c', operation='UPDATE', pgid='pgtrigger_annotations_move_by_their_table_a3335', table='annotate_annotation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='annotation',
            trigger=pgtrigger.compiler.Trigger(name='annotations_are_kept', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='3e184c2ce234809d96260edad5ffae6d1b5478d8', operation='DELETE', pgid='pgtrigger_annotations_are_kept_919d0', table='annotate_annotation', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='itemmemo',
            constraint=models.UniqueConstraint(fields=('item', 'by', 'key'), name='a_memo_is_written_once'),
        ),
        migrations.AddConstraint(
            model_name='itemmemo',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='an_item_memo_says_something'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='overlap_is_at_least_one'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('project', 'user', 'role'), name='a_role_is_held_once'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['project', 'order'], name='annotate_it_project_6a189b_idx'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('project', 'trajectory', 'claimed_step'), name='an_item_is_put_once', nulls_distinct=False),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='item',
            trigger=pgtrigger.compiler.Trigger(name='items_stay_on_their_run', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."claimed_step" IS DISTINCT FROM (NEW."claimed_step") OR OLD."project_id" IS DISTINCT FROM (NEW."project_id") OR OLD."trajectory_id" IS DISTINCT FROM (NEW."trajectory_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3115748adf1ba506225b9bb821dd1b152d044865', operation='UPDATE', pgid='pgtrigger_items_stay_on_their_run_65578', table='annotate_item', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='example',
            constraint=models.UniqueConstraint(fields=('category', 'failure'), name='a_failure_is_an_example_once_per_category'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(fields=('annotation', 'number'), name='revision_numbers_are_unique'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(fields=('annotation', 'key'), name='a_key_is_used_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='revision',
            trigger=pgtrigger.compiler.Trigger(name='revisions_are_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='40645f7dc3b4591326402833e0af258cc74372f7', operation='UPDATE OR DELETE', pgid='pgtrigger_revisions_are_append_only_57750', table='annotate_revision', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.UniqueConstraint(fields=('annotation', 'number'), name='submission_numbers_are_unique'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submission',
            trigger=pgtrigger.compiler.Trigger(name='submissions_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d2af352d81e1c091ff758cb32970b13d3039896c', operation='UPDATE OR DELETE', pgid='pgtrigger_submissions_never_change_0bc38', table='annotate_submission', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='suggestionevent',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['opened', 'shown'])), fields=('item', 'user', 'kind', 'violation', 'judgement'), name='a_showing_is_noted_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='suggestionevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('judgement', None), ('kind', 'opened'), ('violation', None)), models.Q(models.Q(('kind', 'opened'), _negated=True), models.Q(models.Q(('judgement__isnull', False), ('violation', None)), models.Q(('judgement', None), ('violation__isnull', False)), _connector='OR')), _connector='OR'), name='an_event_is_of_one_suggestion'),
        ),
        migrations.AddConstraint(
            model_name='suggestionevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'dismissed'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_dismissal_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='suggestionevent',
            trigger=pgtrigger.compiler.Trigger(name='suggestion_events_are_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='0778f6470777ab7f2b2922917fdc7a90f84b661a', operation='UPDATE OR DELETE', pgid='pgtrigger_suggestion_events_are_append_only_72424', table='annotate_suggestionevent', when='BEFORE')),
        ),
    ]
