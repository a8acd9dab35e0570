"""What has the shape of a secret, and what only resembles one (decision 5: secrets are never learned)."""

import pytest

from memory.text import normalising
from memory.text.secrets.shapes import is_secret
from tests.growth import LINEAR_AT_MOST, growth, of_unit

SEED = "abandon ability able about above absent absorb abstract absurd abuse access accident"

CARDS = [
    "4111 1111 1111 1111 12/26",
    "4111 1111 1111 1111 12/26 123",
    "5500-0000-0000-0004 05/27",
    "1 4111 1111 1111 1111",
    "4111 1111 1111 1111 2",
    "4111 1111 1111 1111, 4111",
    "My card is 4111 1111 1111 1111 12/26 123, keep it.",
    "4111\N{EN DASH}1111\N{EN DASH}1111\N{EN DASH}1111",
    "4111\N{NON-BREAKING HYPHEN}1111\N{NON-BREAKING HYPHEN}1111\N{NON-BREAKING HYPHEN}1111",
    "4111_1111_1111_1111",
    "4111 - 1111 - 1111 - 1111",
    "4111, 1111, 1111, 1111",
    "4111.1111.1111.1111",
    "(4111) 1111 1111 1111",
    "4111;1111;1111;1111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "4111 1111-1111 1111",
    "41111111 11111111",
    "41 11 11 11 11 11 11 11",
    "3782 822463 10005",
    "378282246310005",
    "30569309025904",
    "6011111111111117",
    "4222222222222",
    "2223000048400011",
    "411111111111111112",
    "14111111111111111",
    "41111111111111111226",
    "4111111111111111.0",
    "4.111111111111111e+15",
    "\uff14\uff11\uff11\uff11 1111 1111 1111",
    "\u0664\u0661\u0661\u0661 1111 1111 1111",
    "Visa ending soon, 4111 1111 1111 1111, from ING",
]
PASSWORDS = [
    "the wifi password at home is sunflower",
    "password sunflower",
    "password hunter2",
    "password - sunflower",
    "password: sunflower",
    "pwd=sunflower",
    "pw: sunflower",
    "pass: sunflower",
    "wifi pass: sunflower",
    "passcode 998877",
    "PIN 1234",
    "PIN of my card: 1234",
    "my PIN is 4711",
    "PIN: 12 34",
    "PIN is one two three four",
    "4711 is my PIN",
    "Passwort lautet Sonnenblume",
    "Das WLAN-Passwort lautet Sonnenblume",
    "senha é girassol",
    "salasanani on auringonkukka",
    "hasło: słonecznik",
    "пароль подсолнух",
    "密码 sunflower",
    "密码是sunflower",
    "パスワード sunflower",
    "mot de passe : tournesol",
    "contraseña girasol",
    "uses sunflower as the wifi password",
    "sunflower is my password",
    "the netflix login, password for it: sunflower",
    "the door code is 4711",
    "the code for the door is 4711",
    "WLAN-Passwort Sonne",
    "PIN-Nummer 1234",
    "My pass is hunter2",
    "user bob, pass sunflower",
    "login: bob / sunflower",
    "CVV 123",
]
KEYS = [
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "xapp-1-A0123456789-0123456789012-abcdef",
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
    "otpauth://totp/Example:me?secret=JBSWY3DPEHPK3PXP&issuer=Example",
    f"seed phrase: {SEED}",
    f"my recovery phrase is {SEED} {SEED}",
    "wallet seed 1. abandon 2. ability 3. able 4. about 5. above 6. absent 7. absorb 8. abstract 9. absurd 10. abuse "
    "11. access 12. accident",
    SEED,
    "the key is 9f86d081884c7d65",
    "key: deadbeefdeadbeef",
    f"Seed: {SEED.title()}",
    "key 9f86d081884c7d659a2feaa0c55ad015",
    "Windows product key ABCDE-12F45-GH7JK-LM8NP-QR9ST",
    "sk-abcdefghijklmnopqrst",
    "sk_live_abcdefgh12345678",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "Bearer 0123456789abcdef",
    "API key = abc",
    "550e8400-e29b-41d4-a716-446655440000",
]
NUMBERS = [
    "DE89 3704 0044 0532 0130 00",
    "GB29NWBK60161331926819",
    "account FI21 1234 5600 0007 85 at Nordea",
    "fi2112345600000785",
    "078-05-1120",
    "SSN 078 05 1120",
    "passport number X1234567",
    "passport no. 123456789",
    "Reisepassnummer C01X00T47",
]


@pytest.mark.parametrize("value", [*CARDS, *PASSWORDS, *KEYS, *NUMBERS])
def test_a_secret_is_never_learned_whatever_its_key(value: str) -> None:
    assert is_secret(value)
    assert normalising.parse_claim({"key": "note.main", "value": value}) is None


@pytest.mark.parametrize("value", [["4111", "1111", "1111", "1111"], [4111, 1111, 1111, 1111], 4111111111111111.0])
def test_a_card_number_in_another_type_is_still_one(value: object) -> None:
    assert normalising.parse_claim({"key": "note.main", "value": value}) is None  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "key",
    [
        "api.key",
        "ssh.private.key",
        "bank.pin.code",
        "credit.card",
        "creditcard.number",
        "card.number.visa",
        "wifi.pass",
        "wifi.pwd",
        "wifi.key",
        "wi-fi.password",
        "openai_key",
        "social_security_number",
        "recovery.codes",
        "wallet.seed_phrase",
        "kennwort",
        "salasana",
        "senha",
        "wlanpasswort",
        "netflix.password.old",
        "mot_de_passe",
        "пароль",
        "bank.iban",
        "bank.pin",
        "door.code",
        "password_manager.password",
        "github.token",
    ],
)
def test_a_key_that_names_a_secret_is_refused(key: str) -> None:
    assert normalising.parse_claim({"key": key, "value": "x"}) is None


HARMLESS = [
    "has a basic understanding of German",
    "basic accommodation in hostels",
    "basic multiculturalism",
    "The pin is in the left shoulder",
    "The token was a gift",
    "SK-Telecom-headquarters",
    "sk-learn-contributor",
    "https://example.org/2024/05/17/my-post-about-bees",
    "https://example.org/Docs/Web/JavaScript/Reference/Global_Objects/Array",
    "+49 30 12345678",
    "+358 40 123 4567",
    "(555) 123-4567",
    "030 12345678, 089 23456789",
    "040 1234567, 050 7654321",
    "uses a password manager",
    "password manager is Bitwarden",
    "forgets passwords and resets them",
    "2024-05-17",
    "2012-03-04, 2015-06-07",
    "17.05.2024, 18.05.2024, 19.05.2024",
    "1984, 1991, 2003, 2011",
    "2024-05-17 09:30:00",
    "60.169857, 24.938379",
    "48.858370, 2.294481",
    "ISBN 978-3-16-148410-0",
    "ISBN 9780306406157",
    "order 302-1234567-1234567",
    "order number 1234567",
    "ski pass: Levi, ten days",
    "collects enamel pins, 1200 of them",
    "keeps the spare key under the third flowerpot",
    "plays in the key of F sharp minor",
    "passport expires in 2031",
    "has two passports",
    "plants seeds for tomato basil pepper",
    "walks the dog and then makes coffee for the whole family before work",
    "a student of the history of science",
    "Flat 4111, Tower 1111, Floor 11",
    "route 66 and highway 101",
    "sizes 36 38 40 42 44 46 48",
    "10:30, 11:45, 12:15, 13:00, 14:30",
    "bought a pin in 1998",
    "bearer of bad news",
    "prefers passkeys over passwords",
    "order 112-1234567-1234567",
    "3.141592653589793",
    "Python 3.11.4, Django 5.1.2, Postgres 16.3",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "tracking 1Z999AA10123456784",
    "VAT DE123456789",
    "visa for Japan valid until 2027",
]


@pytest.mark.parametrize("value", HARMLESS)
def test_what_only_resembles_a_secret_is_learned(value: str) -> None:
    assert not is_secret(value)
    assert normalising.parse_claim({"key": "note.main", "value": value}) is not None


def test_no_isbn_is_taken_for_a_card() -> None:
    numbers = (f"978316{number:06}" for number in range(0, 1_000_000, 997))
    assert not any(is_secret(f"ISBN {number}{digit}") for number in numbers for digit in "0123456789")


def test_a_number_of_thirteen_digits_is_a_card_where_a_card_is_spoken_of() -> None:
    with_check_digit = next(f"978316148410{digit}" for digit in "0123456789" if is_secret(f"card 978316148410{digit}"))
    assert not is_secret(f"ISBN {with_check_digit}")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("preference.password_manager", "uses a password manager"),
        ("house.key", "under the third flowerpot"),
        ("ski.pass", "season"),
        ("address.postal_code", "20100"),
        ("preference.tokens", "collects old subway tokens"),
        ("spinning.class", "Mondays"),
        ("keyboard.layout", "Finnish"),
        ("card.games", "bridge"),
        ("passion.main", "rowing"),
        ("passport.country", "Finland"),
    ],
)
def test_a_key_that_only_resembles_a_secrets_is_kept(key: str, value: str) -> None:
    assert normalising.parse_claim({"key": key, "value": value}) is not None


@pytest.mark.parametrize(
    "unit",
    [
        "4",
        "4 ",
        "4111 1111 1111 ",
        "password ",
        "pin of my ",
        "the wifi ",
        "key a1b2c3d4e5f6 ",
        "abandon ",
        "DE89 ",
        "a-",
        "aB1",
        "passport a ",
        "pass ",
        "http://",
        "as my ",
        "ssn ",
        "aA",
    ],
    ids=repr,
)
def test_long_values_are_judged_in_linear_time(unit: str) -> None:
    assert growth(is_secret, of_unit(unit), size=5_000) < LINEAR_AT_MOST


@pytest.mark.parametrize("unit", ["eyJ-", "eyJaaaaaaaa-", "eyJ.eyJ", "Maaaaaaaaaaaaaaaaaaaaaaaaaa.", "sk-"])
def test_what_begins_like_a_token_again_and_again_is_judged_in_linear_time(unit: str) -> None:
    assert growth(is_secret, of_unit(unit), size=10_000) < LINEAR_AT_MOST


def test_a_key_under_many_marks_is_judged_in_linear_time() -> None:
    def judge(key: str) -> bool:
        return is_secret("x", key=key)

    assert growth(judge, lambda chars: "a" + "\u0301\u0323" * (chars // 2), size=8_000) < LINEAR_AT_MOST
