"""Secrets in what was said are masked, and only they (decision 33)."""

import itertools
import json

import pytest

from memory.text.secrets.masking import Masker, masked
from memory.text.secrets.shapes import MASK, is_secret
from tests.growth import LINEAR_AT_MOST, growth, of_unit

SEED = "abandon ability able about above absent absorb abstract absurd abuse access accident"
PEM = """-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAabcdefghijklmnop0123456789
qrstuvwxyz0123456789ABCDEFGH==
-----END RSA PRIVATE KEY-----"""


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("My password is Tr0ub4dor&3!", "Tr0ub4dor&3"),
        ("the password for my new wifi at the cabin is sunflower", "sunflower"),
        (
            "My wifi password is correct horse battery staple and my dog is Beans.",
            "correct horse battery staple",
        ),
        ("password: correct horse battery staple", "correct horse battery staple"),
        ('The password is "hunter2 with spaces".', "hunter2 with spaces"),
        ("I set the password to hunter2.", "hunter2"),
        ("the netflix login, password for it: sunflower", "sunflower"),
        ("Use sunflower as the password.", "sunflower"),
        ("sunflower is my password", "sunflower"),
        ("Username: bob Password: hunter2", "hunter2"),
        ("**Password:** hunter2", "hunter2"),
        ("The root password's hunter2", "hunter2"),
        ("<password>hunter2</password>", "hunter2"),
        ("密码：向日葵", "向日葵"),
        ("Login: bob/hunter2", "hunter2"),
        ("user bob, pass sunflower", "sunflower"),
        ("My pass is hunter2", "hunter2"),
        ("wifi password sunflower", "sunflower"),
        ("Mein WLAN-Passwort lautet Sonnenblume.", "Sonnenblume"),
        ("mon mot de passe est tournesol", "tournesol"),
        ("La contraseña es girasol", "girasol"),
        ("salasanani on auringonkukka", "auringonkukka"),
        ("пароль: подсолнух", "подсолнух"),
        ("我的密码是sunflower123，谢谢", "sunflower123"),
        ("パスワードはhunter2です", "hunter2"),
        ("My PIN is 4711 and my dog is 3.", "4711"),
        ("PIN of my card: 1234", "1234"),
        ("4711 is my PIN", "4711"),
        ("the door code is 4711", "4711"),
        ("CVV 123", "123"),
        ("card 4111111111111111 exp 12/26", "4111111111111111"),
        ("pay with 4111 1111 1111 1111 please", "4111 1111 1111 1111"),
        ("4111-1111-1111-1111", "4111-1111-1111-1111"),
        ("4111 1111\n1111 1111", "4111 1111\n1111 1111"),
        ("\uff14\uff11\uff11\uff11 1111 1111 1111", "\uff14\uff11\uff11\uff11 1111 1111 1111"),
        ("amex 3782 822463 10005", "3782 822463 10005"),
        ("export OPENAI_API_KEY=sk-proj-abcdefgh12345678", "sk-proj-abcdefgh12345678"),
        ("sk-abcdefghijklmnopqrstuvwx", "sk-abcdefghijklmnopqrstuvwx"),
        ("it is sk-ant-api03-AbCdEf123456-xyz, keep it", "sk-ant-api03-AbCdEf123456-xyz"),
        ("token ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
        ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        ("123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef"),
        ("Authorization: Bearer 0123456789abcdef", "0123456789abcdef"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
        ("my api key is 9f86d081884c7d659a2feaa0c55ad015", "9f86d081884c7d659a2feaa0c55ad015"),
        ("API key: 550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("postgresql://bob:hunter2@host/db", "hunter2"),
        ("https://example.org/cb?access_token=abcdef123456&x=1", "abcdef123456"),
        ("Windows product key ABCDE-12F45-GH7JK-LM8NP-QR9ST", "ABCDE-12F45-GH7JK-LM8NP-QR9ST"),
        (f"here: {PEM} done", PEM),
        (json.dumps({"file": PEM}), json.dumps(PEM)[1:-1]),
        (f"my seed phrase is {SEED}", SEED),
        (SEED.title(), SEED.title()),
        (SEED.replace(" ", "\n"), SEED.replace(" ", "\n")),
        ('{"user": "bob", "password": "hunter2", "age": 3}', "hunter2"),
        ('{"db_password":"s3cr3t","host":"x"}', "s3cr3t"),
        (json.dumps(json.dumps({"password": "hunter2"})), "hunter2"),
        ('{"apiKey": "abc123def456"}', "abc123def456"),
        ('{"pin": "4711"}', "4711"),
        ("DB_PASSWORD=sunflower", "sunflower"),
        ("userPassword: 'sunflower'", "sunflower"),
        ("passwort=abc;server=x", "abc"),
        ("password = 'p@ss,word;x'", "p@ss,word;x"),
    ],
)
def test_a_secret_is_masked_and_the_rest_stays(text: str, secret: str) -> None:
    masker = Masker()
    assert masker.text(text) == text.replace(secret, MASK)
    assert masker.count == 1


@pytest.mark.parametrize(
    "text",
    [
        "My password is too long to remember.",
        "The password is wrong.",
        "I forgot my password again and the website is slow.",
        "password is required",
        "Your password must be 8 characters long.",
        "Passwords: minimum length 8",
        "What is my password?",
        "This is my password manager.",
        "wifi password please",
        "Password reset link: https://example.org/reset",
        "The password policy says: rotate every year.",
        "max_tokens: 1024, tokens: 12345678",
        "The key point is that 550e8400-e29b-41d4-a716-446655440000 is a UUID.",
        "primary key: 550e8400-e29b-41d4-a716-446655440000",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "order number 4532015112830366",
        "Order #4532015112830366 shipped",
        "order 302-1234567-1234567",
        "tracking 1Z999AA10123456784",
        "ISBN 978-3-16-148410-0 and ISBN 9780306406157",
        "+49 1511 2345678, +4915112345678, 004915112345678, (555) 123-4567",
        "2026-05-20 09:00:00, 2026-05-21T09:00:00.123456Z",
        "0.4532015112830366 [0.5105105105105100, 60.169857, 24.938379]",
        "timestamps 1700000000000 1700000000123456",
        "answers(200, 402, 403, 404, 409, 429, 502, 504)",
        "IMEI 490154203237518",
        "The key is under the mat, plays in the key of F sharp minor.",
        "The secret: always add butter.",
        "milk eggs butter bread cheese apples bananas coffee sugar flour rice pasta",
        'password = os.environ["DB_PASSWORD"]',
        "password = getpass()",
        "def login(user, password=None): ...",
        "password: <your password>",
        "PASSWORD=${DB_PASSWORD}",
        '"password": "********"',
        "bought a pin in 1998, collects enamel pins, 1200 of them",
        "building code 2021, zip code 20100, error code 404, area code 415",
        "pass: boarding pass",
        "ski pass: Levi, ten days",
        "The API key is stored in the vault.",
        "Use an API key from https://platform.example.org/account/api-keys",
        "Basic authentication is simple, Bearer tokens are strings",
        "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz1234567/edit",
        "chatcmpl-9f86d081884c7d659a2feaa0c55ad015",
        "I passed the exam: 95 points",
        "密码很重要, 密码忘记了, パスワードを忘れました",
        "CSC 101 is a course",
        "password hashing with 10000 rounds",
        "GPIO pin 17 is broken, pin: 17",
        "route 66 and highway 101, sizes 36 38 40 42 44 46 48",
    ],
)
def test_what_only_resembles_a_secret_stays(text: str) -> None:
    assert masked(text) == text


def test_an_isbn_is_never_taken_for_a_card() -> None:
    numbers = (f"ISBN 978316{number:06}{digit}" for number in range(0, 1_000_000, 9_973) for digit in "0123456789")
    assert all(masked(text) == text for text in numbers)


@pytest.mark.parametrize("text", ["My password is hunter2.", '{"password": "hunter2"}', f"seed: {SEED}", "PIN 4711"])
def test_what_is_masked_is_no_secret_any_more(text: str) -> None:
    again = Masker()
    assert again.text(masked(text)) == masked(text)
    assert again.count == 0


def test_a_mask_is_nothing_to_learn() -> None:
    assert is_secret(MASK)
    assert is_secret(f"uses {MASK} at home")


def test_each_secret_counts() -> None:
    masker = Masker()
    text = "My password is hunter2 and my card is 4111 1111 1111 1111. PIN 4711."
    assert masker.text(text) == f"My password is {MASK} and my card is {MASK}. PIN {MASK}."
    assert masker.count == 3


def test_they_are_kept_where_that_is_wished() -> None:
    masker = Masker(keep=True)
    value = {"password": "hunter2", "content": [{"text": "PIN 4711"}, {"text": "PIN 4711"}]}
    assert masker.json(value) == value
    assert masker.count == 0


# --- parts and JSON ---------------------------------------------------------------------------------------------------


def test_a_secret_that_goes_over_the_end_of_a_part_is_masked_in_both() -> None:
    parts = Masker().parts(["my card: 4111 1111", " 1111 1111 thanks"])
    assert "1111" not in "".join(parts)
    assert (parts[0][:9], parts[1][-7:]) == ("my card: ", " thanks")
    assert Masker().parts(["the key sk-proj-abcd", "efgh12345678 is mine"]) == [f"the key {MASK}", f"{MASK} is mine"]
    assert Masker().parts(["My password is", "hunter2"]) == ["My password is", MASK]
    assert Masker().parts(["a", "b", ""]) == ["a", "b", ""]


def test_parts_of_messages_are_read_as_one_text() -> None:
    masker = Masker()
    content = [{"type": "text", "text": "sk-proj-abcd"}, {"type": "placeholder", "of": "image"}]
    content.append({"type": "text", "text": "efgh12345678"})
    assert masker.json({"role": "user", "content": content}) == {
        "role": "user",
        "content": [{"type": "text", "text": MASK}, content[1], {"type": "text", "text": MASK}],
    }


def test_what_stands_under_the_name_of_a_secret_is_masked_whole() -> None:
    masker = Masker(plain_keys={"id"})
    value = {
        "wifi_password": "two words here",
        "pin": 4711,
        "passwords": ["a", "b"],
        "token": True,
        "api_key": None,
        "id": "sk-proj-abcdefgh12345678",
        "count": 4,
    }
    assert masker.json(value) == value | {"wifi_password": MASK, "pin": MASK, "passwords": [MASK, MASK]}
    assert masker.count == 4


# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "password ",
            "password is ",
            "password:",
            'password: "',
            "key: abc ",
            "4111 ",
            "4 ",
            "a",
            " ",
            "pin of a b c ",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "DE89 ",
            "?key=",
            "x is my ",
            "abandon ability ",
            "密码",
            "9f86d081",
            "a://b:c",
        ),
        *(
            "login ",
            "token a b c is ",
            "cvv a ",
            "eyJabcdefgh.",
            "-eyJabcdefgh",
            "Private-Lines: 1 ",
            "1111111111111111",
        ),
    ],
)
def test_the_time_grows_with_the_length(unit: str) -> None:
    fresh = itertools.count()
    assert growth(lambda text: masked(f"{next(fresh)} {text}"), of_unit(unit), size=8_000) < (LINEAR_AT_MOST)


def test_many_parts_take_no_longer_than_one_text() -> None:
    fresh = itertools.count()

    def read(text: str) -> object:
        return Masker().parts([f"{next(fresh)}", *text.split("|")])

    assert growth(read, of_unit("my PIN is 4711|"), size=16_000) < LINEAR_AT_MOST


def test_a_token_with_a_long_head_is_masked_whole() -> None:
    token = f"eyJ{'a1B-' * 800}.eyJzdWIiOiIxMjM0In0.abcdef"
    assert masked(f"use {token} there") == f"use {MASK} there"
