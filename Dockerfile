# The production image: web, worker and beat run from it with different commands (docker-compose.yml).
FROM python:3.12-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
WORKDIR /srv/assay
RUN useradd --system --uid 10001 --no-create-home assay

COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock

COPY . .
# Static files are part of the image. Nothing is read from these values at run time; settings ask for real ones.
RUN ASSAY_ENV=production SECRET_KEY=only-for-collecting-static-files-at-build-time ALLOWED_HOSTS=localhost \
    DATABASE_URL=postgresql:///none CELERY_BROKER_URL=redis://none STATIC_ROOT=/srv/static \
    python manage.py collectstatic --noinput --verbosity=0

ENV ASSAY_ENV=production ASSAY_HOME=/srv/state STATIC_ROOT=/srv/static
RUN install -d -o assay /srv/state
USER assay
EXPOSE 8000
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", \
     "--workers", "2", "--threads", "8", "--worker-tmp-dir", "/dev/shm", "--no-control-socket"]
