"""The tally of what language models were asked: one row a day and task."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0015_clients")]

    operations = [
        migrations.CreateModel(
            name="ModelUsage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("task", models.CharField(max_length=32)),
                ("calls", models.PositiveBigIntegerField(default=0)),
                ("unreported", models.PositiveBigIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(default=0)),
                ("output_tokens", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "db_table": "model_usage",
                "constraints": [models.UniqueConstraint(fields=("day", "task"), name="model_usage_once")],
            },
        ),
    ]
