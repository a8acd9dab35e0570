"""How long each episode's vector is, beside the name of its embedder: a name alone does not say what can be compared."""

from django.db import migrations, models

ROWS_AT_A_TIME = 500

_MEASURE = {
    "sqlite": (
        "UPDATE episode_summaries SET dimensions = json_array_length(embedding) "
        "WHERE id > %s AND id <= %s AND json_array_length(embedding) > 0"
    ),
    "postgresql": (
        "UPDATE episode_summaries SET dimensions = jsonb_array_length(embedding) WHERE id > %s AND id <= %s "
        "AND CASE WHEN jsonb_typeof(embedding) = 'array' THEN jsonb_array_length(embedding) > 0 ELSE false END"
    ),
}


def measure(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(id), 0) FROM episode_summaries")
        last = cursor.fetchone()[0]
        for start in range(0, last, ROWS_AT_A_TIME):
            cursor.execute(_MEASURE[connection.vendor], [start, start + ROWS_AT_A_TIME])


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_heard_words")]

    # A nullable column is added in place on both engines.
    operations = [
        migrations.CreateModel(
            name="EmbedderLength",
            fields=[
                ("model", models.TextField(primary_key=True, serialize=False)),
                ("dimensions", models.IntegerField()),
            ],
            options={"db_table": "embedder_lengths"},
        ),
        migrations.AddField(
            model_name="episodesummary",
            name="dimensions",
            field=models.IntegerField(editable=False, null=True),
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="episodesummary", name="idx_episode_summaries_model"),
        migrations.AddIndex(
            model_name="episodesummary",
            index=models.Index(
                fields=["model", "created_at", "id", "embedded_again", "dimensions"],
                name="idx_episode_summaries_space",
            ),
        ),
    ]
