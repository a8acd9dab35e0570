"""What a deleted episode had, until the sweep; and the index by which episodes are listed by how often they came back."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0013_kept_facts"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeletedEpisode",
            fields=[
                (
                    "episode",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="deleted",
                        serialize=False,
                        to="memory.episodesummary",
                    ),
                ),
                (
                    "deletion",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory.auditrow"
                    ),
                ),
                ("summary", models.TextField(blank=True)),
                ("embedding", models.JSONField()),
                ("model", models.TextField(blank=True)),
            ],
            options={
                "verbose_name": "deleted episode",
                "db_table": "deleted_episodes",
            },
        ),
        migrations.CreateModel(
            name="DeletedUnits",
            fields=[
                ("conversation", models.BigIntegerField()),
                ("model", models.TextField(blank=True)),
                ("dimensions", models.IntegerField(default=0)),
                ("vectors", models.BinaryField()),
                ("scales", models.BinaryField()),
                ("turn_lengths", models.BinaryField()),
                ("terms", models.BinaryField()),
                ("context", models.IntegerField(default=0)),
                (
                    "deleted",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="memory.deletedepisode",
                    ),
                ),
            ],
            options={
                "db_table": "deleted_episode_units",
            },
        ),
        migrations.AddIndex(
            model_name="episodesummary",
            index=models.Index(
                fields=["recall_count", "created_at", "id", "model"], name="idx_episode_summaries_often"
            ),
        ),
    ]
