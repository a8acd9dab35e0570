"""What a key may do, until when and how often; who left an audit row; the permission to operate memory.

Keys that are there keep all they could do. The first account is given the permission: it had it all along.
"""

import django.db.models.deletion
from django.db import migrations, models


def keep_all(apps, schema_editor):
    keys = apps.get_model("memory", "ApiKey").objects.using(schema_editor.connection.alias)
    keys.update(scopes="record read manage")


def permit_first_account(apps, schema_editor):
    alias = schema_editor.connection.alias
    first = apps.get_model("auth", "User").objects.using(alias).order_by("pk").first()
    if first is None:
        return
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.using(alias).get_or_create(
        app_label="memory", model="personalfact"
    )
    permission, _ = apps.get_model("auth", "Permission").objects.using(alias).get_or_create(
        content_type=content_type, codename="operate_memory", defaults={"name": "May operate memory"}
    )
    first.user_permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0005_conversations"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    # Nullable columns are added to the audit log in place on both engines, so the search index stays.
    operations = [
        migrations.CreateModel(
            name="ApiKeyMinute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("minute", models.DateTimeField()),
                ("requests", models.PositiveIntegerField(default=0)),
                (
                    "api_key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory.apikey"
                    ),
                ),
            ],
            options={
                "db_table": "api_key_minutes",
                "constraints": [
                    models.UniqueConstraint(fields=("api_key", "minute"), name="api_key_minute_once")
                ],
            },
        ),
        migrations.AlterModelOptions(
            name="personalfact",
            options={"permissions": [("operate_memory", "May operate memory")], "verbose_name": "fact"},
        ),
        migrations.AddField(
            model_name="apikey",
            name="expires_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="apikey",
            name="requests_per_minute",
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="apikey",
            name="scopes",
            field=models.CharField(default="record", editable=False, max_length=32),
        ),
        migrations.RunPython(keep_all, migrations.RunPython.noop),
        migrations.AddField(
            model_name="auditrow",
            name="actor",
            field=models.CharField(blank=True, max_length=128, null=True),
        ),
        migrations.AddField(
            model_name="auditrow",
            name="api_key",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memory.apikey",
            ),
        ),
        migrations.AddIndex(
            model_name="auditrow",
            index=models.Index(
                condition=models.Q(("api_key__isnull", False)), fields=["api_key", "id"], name="idx_audit_api_key"
            ),
        ),
        migrations.RunPython(permit_first_account, migrations.RunPython.noop),
    ]
