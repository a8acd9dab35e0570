"""The chats of the demonstration: forty days of an invented piano tuner.

Nobody in them exists, and only the dog has a name. Chats of today are dated by the minutes since.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memory.text.normalising import Claim

Mishap = Literal["", "outage", "bad_answers", "no_summary", "no_answer", "errand"]


@dataclass(frozen=True, kw_only=True)
class Chat:
    """One finished chat, or what happened instead of one (`mishap`).

    `claims` is what is learned from it, `ends` the keys that are no longer true, each with the words that say so, and
    `summary` its episode ("" for a trivial chat).
    """

    days: int = 0
    clock: str = ""
    minutes: int = 0
    said: str
    reply: str
    summary: str = ""
    claims: Sequence[Claim] = ()
    ends: Sequence[tuple[str, str]] = ()
    goes_on: bool = False
    """It continues the chat before, whose messages the client sends again."""
    mishap: Mishap = ""
    is_served: bool = True


def _on(days: int, clock: str, said: str, reply: str, summary: str = "", *claims: Claim) -> Chat:
    return Chat(days=days, clock=clock, said=said, reply=reply, summary=summary, claims=claims)


CHATS = (
    _on(
        40,
        "09:12",
        "We moved in March, I live in Portland now. Still getting used to the hills.",
        "Congratulations on the move! If you cycle, the river path spares you most of the climbs.",
        "The operator told us about their move to Portland in March; CAESAR suggested the river path for cycling.",
        Claim("address.city", "Portland", 0.95),
    ),
    _on(
        39,
        "07:45",
        "I go to the gym every Tuesday before work. What can I do about sore shoulders from it?",
        "Warm up with bands, and leave a day between pressing and a long tuning.",
        "We discussed sore shoulders after the gym; CAESAR suggested bands and a day's rest before long tunings.",
        Claim("schedule.gym", "Tuesdays before work", 0.6),
    ),
    Chat(
        days=38,
        clock="18:30",
        said="My wife collects cookbooks and wants a kitchen shelf for them. How thick should the boards be?",
        reply="25 mm of oak carries books over 90 cm without a bow. Put the brackets a fifth in from each end.",
        summary="We planned a kitchen shelf for cookbooks: 25 mm oak, brackets a fifth in from each end.",
        claims=(Claim("spouse.hobby", "collects cookbooks", 0.95),),
        is_served=False,
    ),
    _on(
        36,
        "20:05",
        "Our daughter asks why the moon is sometimes up in the daytime. How do I explain that to a nine-year-old?",
        "The moon does not know about day and night: it goes around us once a month, and half of that time is daytime.",
        "We looked for words to tell a child why the moon is up by day; CAESAR offered its monthly walk around us.",
        Claim("daughter.interest", "the moon", 0.8),
        Claim("daughter.age", "9", 0.85),
    ),
    _on(
        35,
        "10:20",
        "I'm a piano tuner, mostly for churches. A client asks how often an upright in a damp hall should be tuned.",
        "Three times a year, and a humidity buffer under the keybed would save one of them.",
        "A client's upright stands in a damp hall; CAESAR suggested three tunings a year and a humidity buffer.",
        Claim("job.title", "piano tuner, mostly for churches", 0.9),
    ),
    _on(
        33,
        "08:02",
        "I prefer coffee black, no sugar. My wife takes milk. Which beans suit both?",
        "A medium roast from Guatemala: round enough without milk, strong enough with it.",
        "We chose coffee beans for two tastes, black and with milk; CAESAR suggested a medium roast from Guatemala.",
        Claim("preference.coffee", "coffee black, no sugar", 0.9),
        Claim("spouse.coffee", "with milk", 0.7),
    ),
    _on(32, "12:00", "What time is it in Lisbon?", "Eight in the evening."),
    _on(
        30,
        "16:40",
        "I'm allergic to penicillin, please keep that in mind. Is there anything like it in cold remedies?",
        "No, but tell every doctor and dentist. A card in your wallet helps where you cannot.",
        "The operator is allergic to penicillin; CAESAR advised telling every doctor and carrying a card.",
        Claim("health.allergy", "penicillin", 0.98),
    ),
    Chat(
        days=29,
        clock="07:15",
        said="I drive an old blue delivery van and its brakes squeal in the morning. Is that dangerous?",
        reply="If it stops after two or three stops, it is surface rust. If it goes on, have the pads looked at.",
        summary="We discussed the van's squealing brakes; CAESAR suggested having the pads looked at if it goes on.",
        claims=(Claim("car", "an old blue delivery van", 0.85), Claim("van.fault", "worn brakes", 0.4)),
        mishap="outage",
    ),
    _on(
        27,
        "19:25",
        "I'm learning Portuguese, ten minutes a day. Why do they say estou com fome instead of tenho fome?",
        "Both are heard. Estou com is how it feels right now, and it is what people say at the table.",
        "We compared two ways to say hungry in Portuguese; CAESAR explained that estou com is what people say.",
        Claim("language.learning", "Portuguese", 0.9),
    ),
    _on(
        27,
        "19:40",
        "We go to Porto for two weeks in September. What should I pack for the evenings?",
        "A light jacket and shoes for cobbles. The river is cool after sunset even in September.",
        "The operator plans two weeks in Porto in September; CAESAR gave packing tips for cool evenings.",
        Claim("trip.porto", "two weeks in September", 0.75),
    ),
    _on(
        25,
        "21:10",
        "By the way, my dog's name is Beans. He is a beagle mix and pulls on the lead like a tractor.",
        "A good name for a dog. Stop each time the lead is tight: it is dull for both for a week, then it works.",
        "We talked about Beans, a beagle mix who pulls on the lead; CAESAR suggested stopping whenever it is tight.",
        Claim("dog.name", "Beans", 0.95),
        Claim("dog.breed", "beagle mix", 0.9),
    ),
    _on(
        24,
        "22:02",
        "Choir is Thursday evenings at half past seven, I sing second tenor. I get nervous before a solo.",
        "Sing the first line to yourself in the corridor, at half voice. Nerves mostly want something to do.",
        "We discussed nerves before a choir solo; CAESAR suggested singing the first line at half voice beforehand.",
        Claim("schedule.choir", "Thursdays at half past seven", 0.85),
        Claim("hobby.choir", "second tenor in a small choir", 0.85),
    ),
    _on(
        22,
        "18:55",
        "We eat mostly vegetarian, fish now and then. I need a dinner for six without a rush.",
        "A bean stew the day before, bread, a green salad, and baked pears. Nothing needs you in the last half hour.",
        "We planned a vegetarian dinner for six: bean stew made the day before, salad, baked pears.",
        Claim("diet", "mostly vegetarian, fish now and then", 0.9),
    ),
    _on(
        21,
        "08:30",
        "I bake sourdough at the weekend and I like rye bread with caraway. My crumb is too dense, why?",
        "Rye wants it wetter and shorter. Take 80% water and bake as soon as the dome shows its first cracks.",
        "We worked on the operator's dense rye sourdough; CAESAR suggested more water and baking at the first cracks.",
        Claim("hobby.baking", "sourdough at the weekend", 0.8),
        Claim("preference.bread", "rye bread with caraway", 0.8),
    ),
    Chat(
        days=20,
        clock="20:15",
        said="Porto has moved: ten days in October instead, when school is out. Does that change what we should book?",
        reply="Book the train to the coast early, it is the school holidays there too. The rest is quieter in October.",
        summary="The trip to Porto moved to ten days in October; CAESAR suggested booking the coast train early.",
        claims=(Claim("trip.porto", "ten days in October", 0.85),),
    ),
    Chat(
        days=20,
        clock="07:05",
        said="Is there frost tonight? The figs are outside.",
        reply="",
        mishap="no_answer",
    ),
    _on(
        19,
        "13:10",
        "My sister lives in Lisbon and has a small printing shop. What would she like for her fortieth?",
        "A set of old wood type in an odd size. Something to use, not to dust.",
        "We looked for a present for a fortieth birthday; CAESAR suggested old wood type for her printing shop.",
        Claim("sister.age", "forty this year", 0.95),
        Claim("sister.city", "Lisbon", 0.9),
        Claim("sister.job", "runs a small printing shop", 0.8),
    ),
    Chat(
        days=18,
        clock="06:20",
        said="Here is a log of my tuning app, twelve thousand lines, tell me what is wrong: ...",
        reply="The log breaks off in the middle. Send the last hundred lines before the error.",
        summary="",
        mishap="bad_answers",
        is_served=False,
    ),
    _on(
        18,
        "06:35",
        "I start early, I'm at the bench by six. When is a polite time to ring a church office?",
        "Half past nine. Before that you reach the cleaner, who will be kind but cannot sign anything.",
        "The operator starts work at six and asked when to ring church offices; CAESAR suggested half past nine.",
        Claim("preference.mornings", "early starts, at the bench by six", 0.7),
    ),
    _on(
        17,
        "17:30",
        "My dog is four now and has gained a kilo. How much should he walk?",
        "For a beagle mix of four: twice 40 minutes, with a nose game in one of them. And weigh the treats.",
        "Beans, four years old, gained a kilo; CAESAR suggested two walks of 40 minutes a day and weighing the treats.",
        Claim("dog.age", "4", 0.8),
    ),
    _on(
        16,
        "09:00",
        "I send invoices on the first Monday of the month. Two parishes always pay late, how do I put it kindly?",
        "Thank them for the last job first, then name the date and the amount in one sentence, and stop there.",
        "We worded a kind reminder to two parishes that pay late; CAESAR suggested thanks, then date and amount.",
        Claim("work.invoicing", "first Monday of the month", 0.75),
    ),
    _on(
        15,
        "15:45",
        "Late autumn is my favourite season. Any idea for a day out with our daughter when the leaves turn?",
        "Take the tram to the arboretum with a flask and a leaf press. She can be head of collecting.",
        "We planned an autumn day out with the daughter to the arboretum, with a flask and a leaf press.",
        Claim("favourite.season", "late autumn", 0.8),
    ),
    Chat(
        days=14,
        clock="11:05",
        said="Still in Portland, and the basement smells damp since the rain. What should I check first?",
        reply="Gutters and downpipes, then the slope of the ground along the wall. Most damp basements are roof water.",
        summary="The operator's basement in Portland smells damp; CAESAR suggested checking the gutters first.",
        claims=(Claim("address.city", "Portland", 0.9),),
        mishap="no_summary",
    ),
    _on(
        13,
        "10:10",
        "Please give me short answers without bullet lists from now on.",
        "Will do.",
        "",
        Claim("preference.answers", "short answers, no bullet lists", 0.9),
    ),
    _on(
        12,
        "07:50",
        "As I said, coffee black, no sugar for me. Is there a way to make it less bitter without sugar?",
        "A pinch of salt in the grounds, and water just off the boil.",
        "We discussed bitter coffee without sugar; CAESAR suggested a pinch of salt and cooler water.",
        Claim("preference.coffee", "coffee black, no sugar", 0.9),
    ),
    _on(
        11,
        "12:25",
        "I can't stand coriander. What else goes on top of a carrot soup?",
        "Toasted pumpkin seeds and a little orange peel.",
        "We looked for a carrot soup topping without coriander: toasted pumpkin seeds and orange peel.",
        Claim("dislike.herbs", "coriander", 0.85),
    ),
    _on(
        10,
        "18:10",
        "I grow tomatoes, sage and two fig trees in pots. The figs drop their leaves, is that the cold?",
        "More likely thirst. Lift the pot: if it is light, water it until it runs out below.",
        "The potted fig trees drop their leaves; CAESAR suggested watering until it runs out below.",
        Claim("garden.pots", "tomatoes, sage and two fig trees", 0.8),
    ),
    _on(
        9,
        "19:35",
        "Our neighbour looks after the dog on Thursdays. What is a good thank-you that is not wine?",
        "An hour of your trade: tune her piano, or fix the shelf she has been looking at.",
        "We looked for a thank-you for the neighbour who minds the dog; CAESAR suggested an hour of tuning.",
        Claim("neighbour.help", "minds the dog on Thursdays", 0.8),
    ),
    _on(
        8,
        "16:00",
        "I keep spare felt and wire in the van. How do I stop the wire from rusting in there?",
        "An ammunition box with a rubber seal and a bag of silica gel that you dry in the oven once a season.",
        "We discussed rust on piano wire kept in the van; CAESAR suggested a sealed box with silica gel.",
        Claim("work.stock", "spare felt and wire in the van", 0.6),
    ),
    _on(
        7,
        "20:45",
        "My daughter's birthday is 9 June and she wants a treasure hunt. Eight children, one garden, where do I start?",
        "At the end: hide the treasure first, then write each clue standing where it leads. Six clues are plenty.",
        "We planned a treasure hunt for a birthday on 9 June: eight children, six clues, treasure first.",
        Claim("daughter.birthday", "9 June", 0.95),
        Claim("daughter.school", "third year of primary school", 0.6),
    ),
    _on(
        5,
        "22:30",
        "I've been struggling with sleep, I keep waking up at 3am. What could I try?",
        "Try lowering the bedroom thermostat to 65°F, and keep a sleep diary for a week so that we see a pattern.",
        "We discussed the operator's sleep trouble, waking up at three; "
        "CAESAR suggested lowering the bedroom thermostat to 65°F and keeping a sleep diary.",
        Claim("health.sleep", "wakes at three most nights", 0.7),
    ),
    Chat(
        days=5,
        clock="22:38",
        said="And coffee in the afternoon, does that matter at all?",
        reply="It does: half of a cup at three is still there at nine. Try none after lunch for the same week.",
        summary="As part of the operator's sleep trouble, CAESAR suggested no coffee after lunch for a week.",
        goes_on=True,
    ),
    _on(
        4,
        "12:15",
        "Please use Fahrenheit for rooms and grams for recipes. How warm should a rye starter stand?",
        "About 79°F. Next to the water heater, not on it.",
        "We discussed where a rye starter should stand: at 79°F, next to the water heater.",
        Claim("preference.units", "Fahrenheit for rooms, grams for recipes", 0.85),
    ),
    _on(
        3,
        "10:50",
        "A grand in a chapel has three sticky keys in the tenor, and it is 40 miles away. What do I take along?",
        "Key easing pliers, a bushing iron and dry silicone. Ask them to run a heater from tonight, gently.",
        "Three sticky keys on a chapel grand; CAESAR suggested easing pliers, a bushing iron and gentle heating.",
    ),
    _on(
        2,
        "21:20",
        "The bedroom is at 65°F at night now. The dog has moved to the foot of the bed, is that all right?",
        "For him it is. If he wakes you, give him a blanket of his own on the warm side of the room.",
        "The bedroom thermostat is at 65°F now; CAESAR suggested a blanket of his own for the dog.",
        Claim("home.heating", "bedroom at 65°F at night", 0.8),
    ),
    _on(2, "21:24", "Thanks, good night!", "Good night. Sleep well."),
    _on(
        1,
        "08:15",
        "As you know I live in Portland, so where can I get rye bread with caraway that I did not bake?",
        "Two bakeries on Division make one. Go before ten.",
        "CAESAR named two bakeries on Division for rye bread with caraway.",
        Claim("address.city", "Portland", 0.95),
        Claim("preference.bread", "rye bread with caraway", 0.85),
    ),
    _on(
        1,
        "17:55",
        "The choir asks me for a second solo in December. I said yes. How do I keep my voice well until then?",
        "Water, sleep, and no whispering when it is tired: whispering is harder on it than speaking softly.",
        "The operator accepted a second choir solo in December; CAESAR gave advice on keeping the voice well.",
    ),
    Chat(
        minutes=95,
        said="I tried the thermostat thing you suggested. Four nights through, one at three again.",
        reply="That is a clear step. What was different about the fifth evening?",
        summary="The thermostat at 65°F helped the operator sleep through four nights of five.",
    ),
    Chat(
        minutes=93,
        said="Choir, and a coffee with the others afterwards.",
        reply="Then we have a suspect. Take it before the rehearsal next Thursday and see.",
        summary="Coffee after choir is suspected of the one bad night; CAESAR suggested having it before rehearsal.",
        goes_on=True,
    ),
    Chat(
        minutes=92,
        said="### Task: Suggest a title of three to five words for this chat.",
        reply="Sleep and the thermostat",
        mishap="errand",
    ),
    Chat(
        minutes=20,
        said="What should I pack for the dog when we are in Porto and he stays with the neighbour? I gave up the gym, "
        "by the way.",
        reply="His blanket, the weighed treats, and a page with the vet's number and his two walks.",
        summary="We listed what the dog needs while the operator is in Porto: blanket, treats, a page of notes.",
        claims=(
            Claim("dog.sitter", "the neighbour, while you are in Porto", 0.7),
            Claim("dog.food", "dry food twice a day", 0.6, quote="he gets dry food twice a day"),
            Claim("dog.fear", "thunder", 0.5, quote="he is afraid of thunder"),
        ),
        ends=(("schedule.gym", "I gave up the gym"),),
    ),
)
