"""The form in which an operator enters a price."""

from __future__ import annotations

from typing import Any

from django import forms

from policy.models import PriceRow
from policy.prices import Price


class PriceForm(forms.Form):
    """USD per million tokens; a blank price is unknown, which is not 0."""

    kind = forms.ChoiceField(choices=PriceRow.Kind.choices)
    name = forms.SlugField(max_length=40)
    model = forms.CharField(max_length=120)
    since = forms.DateField()
    input_usd = forms.DecimalField(required=False, min_value=0, max_digits=14, decimal_places=6)
    output_usd = forms.DecimalField(required=False, min_value=0, max_digits=14, decimal_places=6)
    cached_usd = forms.DecimalField(required=False, min_value=0, max_digits=14, decimal_places=6)
    cache_write_usd = forms.DecimalField(required=False, min_value=0, max_digits=14, decimal_places=6)
    source = forms.CharField(max_length=200)

    def clean_model(self) -> str:
        model: str = self.cleaned_data["model"]
        if "*" in model[:-1]:
            raise forms.ValidationError("A * may only be the last character.")
        return model

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = self.cleaned_data
        if not self.errors and found["input_usd"] is None and found["output_usd"] is None:
            raise forms.ValidationError("Give a price for input or for output.")
        return found

    def price(self) -> Price:
        """What was entered; the form is valid."""
        return Price(**self.cleaned_data)
