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
        name = throttle.name_key(self.cleaned_data.get("username") or "", self.request)
        address = throttle.address_key(self.request)
        if throttle.is_over(name) or throttle.is_over(address, throttle.FAILED_FROM_AN_ADDRESS):
            raise forms.ValidationError("Too many failed attempts. Wait a minute, then try again.", code="throttled")
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            throttle.count(name)
            throttle.count(address)
            raise
        throttle.forget(name)
        return cleaned


login = LoginView.as_view(authentication_form=LoginForm)
