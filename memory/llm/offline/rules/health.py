"""English rules for allergies, conditions, smoking and drinking."""

from memory.llm.offline.rules.grammar import Fields, Rule, rules_of, words

_CONDITIONS = (
    r"asthma|(?:type (?:1|2|one|two) )?diabetes|migraines?|epilepsy|adhd|add|autism"
    r"|(?:coeliac|celiac|crohn's|parkinson's) disease|coeliac|hay fever|high blood pressure|hypertension|arthritis"
    r"|eczema|psoriasis|insomnia|tinnitus|dyslexia|ibs|endometriosis|gout|glaucoma|anxiety|depression|osteoporosis"
    r"|sleep apnoea|sleep apnea|a (?:pacemaker|heart condition|bad (?:back|knee|hip|shoulder))|bad "
    r"(?:knees|eyesight)|high cholesterol|an? (?:thyroid|kidney|liver|heart) (?:condition|problem|disease)"
    r"|hypothyroidism|pcos|lupus|fibromyalgia|rosacea|reflux|anaemia|anemia|ocd|bipolar disorder|scoliosis|vertigo"
    r"|multiple sclerosis"
)

_NO_ALLERGENS = words("""
    mondays work working people exercise mornings nonsense stupidity it this that them him her you change drama
    something everything anything nothing commitment fun effort people idiots fools morons liars lies stupid dumb lazy
    rude boring mornings mondays monday morning talk smalltalk meetings meeting bullshit bs bullies hypocrites ignorance
    negativity politicians politics humans men women boys girls children kids school homework housework chores
    responsibility responsibilities rules authority love happiness sport sports running gym deadlines paperwork
    bureaucracy capitalism taxes waiting being getting losing failure success money maths math feelings emotions
    commitments relationships marriage queues crowds traffic noise cleaning cooking ironing silence boredom
    adulting life reality me us fakes fakeness attitude ego egos gossip games tv winter
""")


def _is_allergen(fields: Fields) -> bool:
    thing = fields["thing"].casefold()
    return _NO_ALLERGENS.isdisjoint(thing.replace(",", " ").split()) and not thing.endswith(("ness", "ism", "ship"))


_MEDICINE = (
    r"(?:an? |my )?(?P<what>(?:[\w-]+ ){0,2}?(?:medication|medicine|meds|pills|tablets|inhaler|statins?|insulin"
    r"|antidepressants|antihistamines?|blood thinners|beta blockers|vitamins?(?: [a-d]\d?)?|supplements|the pill"
    r"|ibuprofen|aspirin|iron|\w{3,}(?:pril|sartan|statin|formin|oxine|prazole|mab|zepam|olol|cillin|etamol"
    r"|oxetine|aline|pram|idone|apine|sone)))"
)


RULES: tuple[Rule, ...] = rules_of(
    r"""
health.allergy.{thing} = {thing} @0.95 each +allergen: (?:I am|I have been|I am one of those people) (?:(?:\w+ly|very)
  )?allergic (?:to|against) (?:both |all |any kind of )?THING
health.allergy.{thing} = {thing} @0.95 each +allergen: I (?:have|have got|suffer from) an? (?:\w+ )?allergy to THING
health.allergy.{thing} = {thing} @0.95 +allergen: I (?:have|have got|suffer from) an? (?:severe |bad |mild |serious
  )?(?P<thing>(?!new|food|strange)\w+(?: \w+)?) allergy
health.allergy.{thing} = {thing} each +allergen: my (?:only )?allerg(?:y is to|ies are(?: to)?|ies include) THING
health.allergy.{thing} = {thing} @0.95 +allergen: (?P<thing>[^\W\d_]\w*(?: \w+)?) (?:make|give)s? me (?:break
  out|hives|a rash|itch|swell)
health.allergy.{thing} = {thing} @0.95 each +allergen: I (?:get hives|break out|get a rash|swell up) (?:from|when I
  (?:eat|touch|have)|if I (?:eat|touch|have)) THING
health.medication = {what} @0.85: I (?:take|am taking|am on|use) MEDICINE\b
health.{what} = {what} any_time: I (?:was|have been|got) diagnosed with (?P<what>(?!it\b|that\b|this\b)[\w'-]+(?:
  (?!in\b|at\b|when\b|as\b|last\b)[\w'-]+){0,2})
health.intolerance.{what} = {what} intolerant @0.95: I am (?P<what>lactose|gluten|histamine|fructose|dairy|milk|egg)[-
  ]intolerant
health.intolerance.{what} = {what}: I am intolerant (?:to|of) (?P<what>[\w-]+(?: [\w-]+)?)
health.intolerance.{what} = {what} intolerant @0.95: I have an?
  (?P<what>lactose|gluten|histamine|fructose|dairy|milk|egg) intolerance
health.{what} = {what}: I (?:have|have got|suffer from|live with|was diagnosed with|have been diagnosed with|have
  had)(?: (?:severe|mild|chronic|bad))? (?P<what>CONDITION)\b
health.{what} = {what}: I am (?:a )?(?P<what>(?:type (?:1|2|one|two) )?diabetic|asthmatic|coeliac|celiac|colou?r[-
  ]?blind|dyslexic|deaf|hard of hearing|left[- ]handed|epileptic|autistic|short-sighted|near-sighted|far-sighted|in a
  wheelchair|a wheelchair user)(?=$|[,.! ])
health.{what} = {what} @0.85: (?P<what>(?:type (?:1|2|one|two) )?diabetic|asthmatic|coeliac|celiac|epileptic) hereEND
health.{what} = {what} @0.85 any_time anywhere presupposed: (?<![\w'])my (?P<what>CONDITION)\b(?!
  (?:doctor|nurse|clinic|meds?
  |test|charity|research|paper|thesis))
health.{what} = wears {what}: I (?:wear|use) (?P<what>(?:reading )?glasses|contact lenses|contacts|hearing aids|a
  hearing aid|a wheelchair|a prosthesis)
health.{what} = {what} @0.85 any_time: I have been (?P<what>type (?:1|2|one|two)|diabetic|coeliac|epileptic|asthmatic)
  since\b
health.medication = {what} @0.85 any_time anywhere presupposed: (?<![\w'])MEDICINE (?:that |which )?I (?:take|am on)
health.{what} = {what} @0.85 any_time anywhere: I [^,.?!]{3,60} (?:because of|due to) (?:my |having
  )?(?P<what>CONDITION)\b
health.smoking = non-smoker @0.95: I (?:do not|never) smoke(?: cigarettes)?END
health.smoking = {what}: I am a (?P<what>non-?smoker|smoker)
health.smoking = former smoker: I am an? (?:ex|former)[- ]smoker
health.smoking = smokes @0.8: I smoke(?: (?:a pack|cigarettes|cigars|a pipe)[\w ]{0,20})?END
health.smoking = quit in {year} @0.95 any_time: I (?:have )?(?:quit|stopped|gave up|given up|kicked)(?: smoking|
  cigarettes| tobacco)(?: (?:back )?in YEAR)?
health.smoking = quit any_time: I (?:have )?(?:quit|stopped|gave up|given up|kicked)(?: smoking| cigarettes|
  tobacco)(?!.{0,20}\d{4})
diet.alcohol = no alcohol, quit in {year} @0.95 any_time: I (?:have )?(?:quit|stopped|gave up|given up)(?: drinking|
  alcohol)(?: alcohol)?(?: (?:back )?in YEAR)
diet.alcohol = no alcohol any_time: I (?:have )?(?:quit|stopped|gave up|given up)(?: drinking| alcohol)(?:
  alcohol)?(?=$|[,.!]| (?:two|three|four|five|six|\w+) (?:months|years) ago)
""",
    {"allergen": _is_allergen},
    {"CONDITION": _CONDITIONS, "MEDICINE": _MEDICINE},
)
