# CAESAR memory in one image: `manage.py up` starts web server and worker. Everything that is kept lies in /app/var.
# syntax=docker/dockerfile:1

FROM python:3.13-slim AS packages
COPY requirements.txt /
# Translations in their source form and the packages' own tests are of no use to a server.
RUN pip install --no-cache-dir --no-compile --target /packages -r /requirements.txt \
    && find /packages -name "*.po" -delete \
    && find /packages -type d -name tests -path "*numpy*" -prune -exec rm -r {} +

FROM python:3.13-slim
ENV PYTHONPATH=/packages \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    CAESAR_SERVER__HOST=0.0.0.0
RUN useradd --uid 10001 --user-group --home-dir /app --shell /usr/sbin/nologin caesar \
    && install -d -m 0700 -o caesar -g caesar /app /app/var
WORKDIR /app
COPY --from=packages /packages /packages
COPY --chown=caesar:caesar manage.py CHANGELOG.md README.md .env.example ./
COPY --chown=caesar:caesar caesar caesar
COPY --chown=caesar:caesar memory memory
COPY --chown=caesar:caesar dashboard dashboard
COPY --chown=caesar:caesar templates templates
COPY --chown=caesar:caesar static static
COPY --chown=caesar:caesar docs docs
USER 10001
VOLUME /app/var
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
    CMD ["python", "-m", "caesar.server.alive"]
STOPSIGNAL SIGTERM
CMD ["python", "manage.py", "up", "--bootstrap"]
