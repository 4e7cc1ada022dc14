"""Logging in, with a limit on failed attempts."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView

from annotate import throttle


class LoginForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "User name and password do not match.",
        "inactive": "This account has been closed.",
    }

    def clean(self):
        key = throttle.key_of(self.cleaned_data.get("username") or "", self.request)
        if throttle.is_over(key):
            raise forms.ValidationError("Too many failed attempts. Wait a minute, then try again.", code="throttled")
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            throttle.count(key)
            raise
        throttle.forget(key)
        return cleaned


login = LoginView.as_view(authentication_form=LoginForm)
