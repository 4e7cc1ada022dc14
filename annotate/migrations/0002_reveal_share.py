from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0001_initial'),
        ('taxonomy', '0001_initial'),
        ('traces', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='reveal_share',
            field=models.PositiveSmallIntegerField(default=50),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('reveal_share__range', (1, 99))), name='a_lot_can_fall_either_way'),
        ),
    ]
