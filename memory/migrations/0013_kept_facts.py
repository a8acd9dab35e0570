"""Facts that the operator keeps, and edits that are taken back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_units")]

    # Nullable columns are added in place on both engines, and an index of its own makes no table anew.
    operations = [
        migrations.AddField(
            model_name="personalfact",
            name="kept_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="auditrow",
            name="edits",
            field=models.SmallIntegerField(blank=True, null=True),
        ),
        migrations.RemoveIndex(model_name="auditrow", name="idx_audit_edits"),
        migrations.AddIndex(
            model_name="auditrow",
            index=models.Index(fields=["event_type", "fact_key", "edits"], name="idx_audit_edit_counts"),
        ),
    ]
