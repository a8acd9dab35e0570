"""What recall by content searches: the units of each episode, and the vectors it measures messages against."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0011_review"),
    ]

    operations = [
        migrations.CreateModel(
            name="EpisodeUnits",
            fields=[
                (
                    "episode",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="units",
                        serialize=False,
                        to="memory.episodesummary",
                    ),
                ),
                ("conversation", models.BigIntegerField()),
                ("model", models.TextField(blank=True)),
                ("dimensions", models.IntegerField(default=0)),
                ("vectors", models.BinaryField()),
                ("scales", models.BinaryField()),
                ("turn_lengths", models.BinaryField()),
                ("terms", models.BinaryField()),
                ("context", models.IntegerField(default=0)),
            ],
            options={
                "verbose_name": "units of an episode",
                "verbose_name_plural": "units of episodes",
                "db_table": "episode_units",
            },
        ),
        migrations.CreateModel(
            name="GeneralVectors",
            fields=[
                ("model", models.TextField(primary_key=True, serialize=False)),
                ("digest", models.TextField()),
                ("dimensions", models.IntegerField()),
                ("vectors", models.BinaryField()),
                ("scales", models.BinaryField()),
            ],
            options={
                "db_table": "general_vectors",
            },
        ),
    ]
