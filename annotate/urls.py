from django.contrib.auth.views import LogoutView
from django.urls import path

from annotate.views import home, session

urlpatterns = [
    path("", home.home, name="home"),
    path("login/", session.login, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
