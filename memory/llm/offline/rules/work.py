"""English rules for work and study."""

from memory.llm.offline.rules.grammar import Fields, Rule, rules_of, words
from memory.llm.offline.rules.home import is_place

_TRADES = words("""
    nurse chef cook pilot judge clerk coach guide vet midwife architect surgeon physician mechanic paramedic
    barista attendant agent diplomat scientist monk priest nun pastor actress waitress seamstress nanny
    freelancer founder ceo cto artist poet luthier sommelier courier shepherd steward stewardess apprentice
    intern trainee servant dj model analyst potter smith wright blacksmith locksmith goldsmith silversmith
    playwright student undergraduate postgraduate pharmacist accountant consultant assistant sergeant lieutenant
    merchant statistician policeman policewoman fireman postman fisherman craftsman salesman tradesman seaman
    businessman businesswoman chairwoman dean principal deputy secretary notary apothecary magistrate bailiff
    auctioneer engineer volunteer scout receptionist tech lead technologist graduate researcher stage-hand
    handyman astronaut athlete cellist paralegal midshipman chaplain rabbi imam vicar deacon cartographer
    herbalist chiropractor homemaker housewife househusband
""")
_TRADE_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "smith", "wright", "eer", "ologist", "grapher", "ant")
_NO_TRADES = words("""
    lover loser beginner smoker mother father brother sister member believer sinner foreigner teenager newcomer
    outsider stranger supporter user customer follower listener reader riser sleeper hater drinker eater owner
    learner survivor speaker winner number vegetarian christian pacifist optimist pessimist perfectionist
    minimalist feminist humanitarian libertarian monster liar quitter thinker planner procrastinator helper doer
    joker gamer person man woman human killer dreamer wanderer traveller traveler visitor tourist voter realist
    idealist atheist pescatarian flexitarian fruitarian presbyterian mess giant elephant infant worrier fighter
    twitcher starter subscriber commuter passenger neighbour neighbor taxpayer homeowner bachelor elder senior
    junior fiancé watcher bookworm racist egoist narcissist masochist romantic bother wonder danger sucker
    stickler hoarder spender latecomer buyer adopter binger admirer tenant participant descendant immigrant
    slowpoke better later never ever other another over pushover mentor debtor creditor contributor spectator disaster
    administrator admin
""")
_JUDGING_ADJECTIVES = words("""
    big huge good bad great terrible slow fast better worse real true total complete bit little lot fan keen
    avid quick poor natural born proud happy first second third light heavy early late strong weak hopeless
    lousy decent fellow former ex new-born would-be
""")


def _is_trade(fields: Fields) -> bool:
    """Whether "I'm a ..." names an occupation, by its last word and without an adjective that judges."""
    words = fields["job"].casefold().split(" of ")[0].split()
    if not words or words[0] in _JUDGING_ADJECTIVES or words[-1] in _NO_TRADES:
        return False
    head = words[-1].rsplit("-", 1)[-1]
    if head.endswith(("mother", "father", "brother", "sister", "parent")):
        return False
    return head in _TRADES or (len(head) > 4 and head.endswith(_TRADE_ENDINGS) and head not in _NO_TRADES)


_NO_EMPLOYERS = words("""
    night home least most all once hours free you it now this that full my two three weekends myself
""")
_REWARDS = words("""
    peanuts money fun pennies food pleasure nothing love glory beer tips cash profit fame change pocket fulfilment
    god satan everyone everybody nobody someone somebody others him her them us pizza pay wages results ages years
    a-living coffee chocolate cookies exposure
""")


def _is_employer(fields: Fields) -> bool:
    first, *others = fields["employer"].casefold().split()
    if fields["employer"].casefold() in {"the money", "a living", "the devil", "the man", "the fun", "a pittance"}:
        return False
    if first in _REWARDS and fields["employer"].islower():
        return False
    return first not in _NO_EMPLOYERS and (bool(others) or first not in {"the", "a", "an"})


_NO_JOBS_AFTER_AS = words("""
    hard much little long fast often well soon late far many quickly slowly efficiently closely good bad early if
    always usual before ever long planned expected agreed best clockwork one usually
""")
_NO_OFFICES = words("player slave horse dog machine charm team unit couple favour favor hobby punishment treat")


def _is_office(fields: Fields) -> bool:
    """Whether "I work as ..." continues with an occupation, and not with "hard as I can" or "a team player"."""
    words = fields["job"].casefold().split()
    if words and words[0] in _NO_JOBS_AFTER_AS:
        return words[-1] in _TRADES or words[-1].endswith(_TRADE_ENDINGS)
    return bool(words) and words[-1] not in _NO_OFFICES and words[-1] not in {"as", "than"}


_JOB = r"(?P<job>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,3}?)"
_AFTER_JOB = (
    r"(?= (?:at|in|for|with|by|from|who|and|so|but|on|working|specialising|based|near|around|now)\b|\s*(?:[,.!]|$))"
)
_AREA = r"[^,]{0,40}(?:, (?:mostly|mainly|usually|primarily) [^,]{0,50}?)? (?:in|around|near|across|throughout) PLACE"


def _is_trade_there(fields: Fields) -> bool:
    return _is_trade(fields) and is_place(fields)


RULES: tuple[Rule, ...] = rules_of(
    r"""
job.title = {job} +trade: I am [^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?, an? JOBAFTERJOB
job.title = {job} +trade: I am (?:working as )?an? JOBAFTERJOB
job.title = {job} +trade: I have been (?:working as )?an? JOB(?= (?:for|since)\b)
job.title = {job} +trade: as an? JOB I
  (?!was|were|had|did|used|would|could|got|made|saw|went|took|felt|met|knew|\w+ed\b)
job.title = {job} @0.85 +trade: (?:an? )?JOB hereEND
job.title = drives {job} @0.85: I drive (?P<job>(?:an?|the) (?:[\w-]+ ){0,2}?(?:bus|lorry|taxi|cab|tram|train
  |ambulance|forklift|hgv|truck|minibus|coach|delivery van))(?= for a living|END| btw| by the way| in | on | for )
job.title = {job} +trade: I work (?:nights|days|shifts|evenings|weekends|part[- ]time|full[- ]time|freelance|\w+ly) as
  an?
  JOBAFTERJOB
job.title = {job} @0.95 +office: I (?:work|am working|am employed|make (?:a|my) living|earn (?:a|my) living) as (?:an?
  |the )?JOBAFTERJOB
job.title = {job} @0.85 +trade: my (?:job|profession|occupation|trade|work|day job) is (?:being |that of )?(?:an?
  )?JOBEND
job.title = {job}: I am (?:an? )?JOB by (?:trade|profession|training)
job.title = {job} @0.8 any_time +trade: I (?:have )?(?:became|become|qualified as|trained as) an? JOBAFTERJOB
job.title = {job}: I have (?:got |started |taken )?(?:a )?(?:new )?job as (?:an? |the )?JOBAFTERJOB
work.area = {place} @0.8 +trade_there: I (?:am|work as|am working as|am employed as) (?:an? )?JOBAFTERJOBAREA
work.area = {place} @0.8 +place: I work (?:at|for) [^,]{2,50}? in PLACE
work.area = {place} @0.85 +place: I work (?:mostly |mainly )?in PLACE
job.employer = {employer} +employer: I work (?:at|for|in (?=an? )) ?(?P<employer>(?:(?:the|an?) )?[^\W\d_][\w'&.-]*(?:
  [\w'&.-]+){0,5})
job.title = {job} +office: I (?:work|am working|am employed) (?:at|for|by|with) [^,]{2,40}? as (?:an? )?JOBAFTERJOB
job.employer = {employer} @0.85: I am (?:an? JOB|employed|working) (?:at|by) (?P<employer>(?-i:[A-Z])[\w'&.-]*(?:
  (?-i:[A-Z])[\w'&.-]*){0,3})
study.subject = {subject}: I am (?:in my \w+ year of|majoring in|doing (?:a|my) (?:degree|phd|master's|masters|ba|bsc)
  in) (?P<subject>[a-z][\w'-]*(?: (?!at\b|in\b)[\w'-]+){0,2})
job.field = {field}: I work in (?:the )?(?P<field>(?:public |private )?(?:healthcare|health
  care|it|finance|education|construction|publishing|retail|marketing|sales|insurance|banking|hospitality|catering
    |forestry|agriculture|farming|logistics|advertising|research|academia|hr|tech|software|law|media|film|theatre
    |tourism|shipping|social work|sector|film industry|car industry|music industry|video games?|accounting|customer
  service|manufacturing))END
job.status = {status}: I am (?:a )?(?P<status>retired|unemployed|self-employed|stay-at-home
  (?:mum|mom|dad|parent)|freelance|freelancing|between jobs|on (?:parental|maternity|paternity) leave)(?=$|[,.! ])
job.title = teaches {subject} @0.85: I teach (?P<subject>(?!you|him|her|them|myself|people|this|that|it|at\b
    |in\b)[^\W\d_][\w'-]*(?: [\w'-]+){0,2}?)(?= (?:at|in|to|for|and|but|so)\b|END)
job.business = runs a {shop}: WE (?:run|own|own and run) (?:an?|my own|our own) (?P<shop>(?:\w+
  ){0,2}(?:bakery|shop|store|caf[eé]|restaurant|bar|pub|farm|studio|business|company|hotel|hostel|school|salon
    |practice|brewery|bookshop|gallery|workshop|blog|podcast|clinic|garage|kennel|vineyard|nursery))
schedule.work = {hours} {rest} @0.85: I work (?P<hours>nights|(?:night|early|late|day|evening|rotating)
  shifts|shifts|part[- ]time|full[- ]time|weekends|from home|remotely|freelance)(?P<rest>(?: [\w' -]{2,50})?)
study.subject = {subject}: I (?:study|am studying) (?P<subject>(?!hard|abroad|every|for\b|at\b|in\b|here|it\b|this
    |that|you|with|a lot|all)[^\W\d_][\w'-]*(?: (?!at\b|in\b)[\w'-]+){0,3})
study.school = {school}: I (?:study|am studying|go to school|am a student)(?: [\w' ]{1,30}?)? at (?P<school>(?:the
  )?(?-i:[A-Z])[\w'.-]*(?: (?:of )?[\w'.-]+){0,4})
""",
    {
        "trade": _is_trade,
        "trade_there": _is_trade_there,
        "office": _is_office,
        "employer": _is_employer,
        "place": is_place,
    },
    {"JOB": _JOB, "AFTERJOB": _AFTER_JOB, "AREA": _AREA},
)
