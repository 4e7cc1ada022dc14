import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Taxonomy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('preset', models.CharField(blank=True, max_length=40)),
            ],
            options={
                'verbose_name_plural': 'taxonomies',
            },
        ),
        migrations.CreateModel(
            name='CodeEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('op', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('taxonomy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='taxonomy.taxonomy')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Memo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=90)),
                ('text', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('taxonomy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memos', to='taxonomy.taxonomy')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Code',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phrase', models.CharField(max_length=200)),
                ('definition', models.TextField(blank=True)),
                ('coined_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('coined_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('taxonomy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='codes', to='taxonomy.taxonomy')),
            ],
        ),
        migrations.CreateModel(
            name='TaxonomyVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('summary', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('frozen_at', models.DateTimeField(null=True)),
                ('event', models.PositiveIntegerField(default=0)),
                ('mapping', models.JSONField(default=list)),
                ('frozen_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('taxonomy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='taxonomy.taxonomy')),
            ],
        ),
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('definition', models.TextField(blank=True)),
                ('when_to_use', models.TextField(blank=True)),
                ('when_not', models.TextField(blank=True)),
                ('checklist', models.JSONField(default=list)),
                ('examples', models.JSONField(default=list)),
                ('aliases', models.JSONField(default=list)),
                ('names', models.JSONField(default=dict)),
                ('group', models.CharField(blank=True, max_length=200)),
                ('colour', models.PositiveSmallIntegerField(default=0)),
                ('hotkey', models.CharField(blank=True, max_length=1)),
                ('order', models.PositiveSmallIntegerField(default=0)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='categories', to='taxonomy.taxonomyversion')),
            ],
            options={
                'verbose_name_plural': 'categories',
                'ordering': ['order'],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(choices=[('person', 'Person'), ('clustering', 'Clustering'), ('model', 'Model')], default='person', max_length=10)),
                ('op', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('declined', 'Declined')], default='open', max_length=10)),
                ('answer', models.TextField(blank=True)),
                ('answered_at', models.DateTimeField(null=True)),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.codeevent')),
                ('taxonomy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='proposals', to='taxonomy.taxonomy')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_proposal_has_a_reason'), models.CheckConstraint(condition=models.Q(models.Q(('answered_by', None), ('state', 'open')), models.Q(('answered_by__isnull', False), ('event', None)), models.Q(('answered_by__isnull', False), ('state', 'accepted')), _connector='OR'), name='only_accepted_proposals_have_an_event')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='proposal',
            trigger=pgtrigger.compiler.Trigger(name='proposals_stay_as_made', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."at" IS DISTINCT FROM (NEW."at") OR OLD."by_id" IS DISTINCT FROM (NEW."by_id") OR OLD."op" IS DISTINCT FROM (NEW."op") OR OLD."payload" IS DISTINCT FROM (NEW."payload") OR OLD."reason" IS DISTINCT FROM (NEW."reason") OR OLD."source" IS DISTINCT FROM (NEW."source") OR OLD."taxonomy_id" IS DISTINCT FROM (NEW."taxonomy_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c60d89056222716366a1d14651edb993c4163b9e', operation='UPDATE', pgid='pgtrigger_proposals_stay_as_made_d5a64', table='taxonomy_proposal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='proposal',
            trigger=pgtrigger.compiler.Trigger(name='proposals_are_kept', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d46f3df77918b9e791c35dfc1fe4ba26b567971f', operation='DELETE', pgid='pgtrigger_proposals_are_kept_a9416', table='taxonomy_proposal', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='memo',
            index=models.Index(fields=['taxonomy', 'subject'], name='taxonomy_me_taxonom_899be2_idx'),
        ),
        migrations.AddConstraint(
            model_name='memo',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='a_memo_says_something'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memo',
            trigger=pgtrigger.compiler.Trigger(name='memos_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='b13e05013b2730e5cc8432b2d1791484bbfd3026', operation='UPDATE OR DELETE', pgid='pgtrigger_memos_never_change_a7ce1', table='taxonomy_memo', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='codeevent',
            constraint=models.UniqueConstraint(fields=('taxonomy', 'number'), name='code_event_numbers_are_unique'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='codeevent',
            trigger=pgtrigger.compiler.Trigger(name='code_events_are_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d6cb0c5cbe867b570ade62e61e55f6d3df2b9948', operation='UPDATE OR DELETE', pgid='pgtrigger_code_events_are_append_only_37d75', table='taxonomy_codeevent', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='code',
            constraint=models.UniqueConstraint(models.F('taxonomy'), django.db.models.functions.text.Lower('phrase'), name='code_phrases_are_unique'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='code',
            trigger=pgtrigger.compiler.Trigger(name='codes_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func='RAISE EXCEPTION \'pgtrigger: Cannot update of "taxonomy_id", "phrase", "definition", "coined_by_id" rows from % table\', TG_TABLE_NAME;', hash='29f61de5a9e66b7310bde8287008389e3a35307d', operation='UPDATE OF "taxonomy_id", "phrase", "definition", "coined_by_id"', pgid='pgtrigger_codes_never_change_93188', table='taxonomy_code', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='taxonomyversion',
            constraint=models.UniqueConstraint(fields=('taxonomy', 'number'), name='version_numbers_are_unique'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='taxonomyversion',
            trigger=pgtrigger.compiler.Trigger(name='frozen_versions_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."frozen_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='5b33a7155b0ae9925ba215097b41f738dd3636ce', operation='UPDATE OR DELETE', pgid='pgtrigger_frozen_versions_never_change_e4736', table='taxonomy_taxonomyversion', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='category',
            constraint=models.UniqueConstraint(fields=('version', 'key'), name='category_keys_are_unique'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='category',
            trigger=pgtrigger.compiler.Trigger(name='categories_of_frozen_versions_never_change', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT 1 FROM taxonomy_taxonomyversion\n                        WHERE frozen_at IS NOT NULL AND id IN (NEW.version_id, OLD.version_id)\n                    ) THEN\n                        RAISE EXCEPTION 'a frozen version never changes';\n                    END IF;\n                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n                    RETURN NEW;\n                ", hash='cbbdf3bba5466150d8e6c172780155cdebc92ec7', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_categories_of_frozen_versions_never_change_5214a', table='taxonomy_category', when='BEFORE')),
        ),
    ]
