"""What the frames of the languages take for a name, a thing, a town or a job, and what they do not."""

import re

from memory.llm.offline.rules.grammar import Check, Fields, words
from memory.llm.offline.rules.home import is_country, is_place

_NO_NAMES = words("""
    ich mein meine der die das ein eine je le la il un une yo el mi jag min en io ik de het eu o a minä und et y och e
    ja ja mam mój moja я мой моя ben bir benim eins programm meinung ansicht neue beste erste letzte einzige chef boss
    nicht sehr très muy
""")
_NO_THINGS = words("""
    la il lo le el los las gli jou jullie sinua dig idea idée idee respuesta risposta antwort es das dich dir euch sie
    wenn dass ça cela quand que qu toi tout lo eso esto todo cuando questo quello tutto ti det när dig deg het dat dit
    als je alles isso isto tudo quando você sitä tätä se es ihn ihm to ciebie cię cie wszystko gdy kiedy это тебя вас
    всё все когда что bunu onu seni sizi これ それ あれ あなた 君 你 您 这 那 他 她 它 这个 那个 什么 何 alt allt
    dieser diese diesen diesem cette ces esta este estas estos questa questo essa esse deze dein deine deinen deinem
    deiner ihre ihren eure ton ta tes votre vos tu tus su sus vuestra vuestro tua tuo tue tuoi seu sua seus suas teu
    jouw jullie uw twój twoja twoje twoją twój твой твоя твоё твою твои ваш ваша ваше din ditt dina dit
""")
_POINTING = words("der die das den dem la le les lo gli il los las os as de het ten ta to tę те та тот ту")
_NO_JOY = words("""
    steuern stau staus montage papierkram rechnungen impôts embouteillages bouchons factures réunions impuestos
    atascos facturas reuniones tasse traffico bollette riunioni impostos trânsito boletos reuniões belasting files
    vergaderingen podatki korki rachunki skatt skatter möten møter vergi trafik налоги пробки счета
""")
_NO_PLACES = re.compile(
    r"(?:kürze|zukunft|ruhe|frieden|angst|armut|miete|wg|wohngemeinschaft|einem|einer|meine[rm]?|sünde|hoffnung|eile|not"
    r"|trennung|scheidung|ehe|partnerschaft|harmonie|freiheit|stress|wohnung|haus|hotel|wohnheim|gefahr|panik|paix|peur"
    r"|paz|pace|mieście|domu|bloku|strachu|nadziei|городе|доме|квартире|общежитии|europa|europe|\w*(?:heit|keit|ung"
    r"|schaft))(?!\w)",
    re.IGNORECASE,
)
_NO_JOBS = words("""
    weltmeister weltmeisterin meister könig königin profi campeón campeona campione campionessa campeão campeã
    champion championne mistrz mistrzem mistrzynią чемпион чемпионка şampiyon vrai vraie vero vera wahrer wahre
    echter echte véritable verdadero verdadera verdadeiro prawdziwym prawdziwą настоящий настоящая diabetiker feuer
    opfer kämpfer
    diabetikerin asthmatiker asthmatikerin epileptiker allergiker allergikerin linkshänder linkshänderin anfänger
    anfängerin vegetarier vegetarierin veganer veganerin raucher nichtraucher gewinner gewinnerin verlierer sieger
    vater mutter bruder schwester besitzer besitzerin deutscher österreicher schweizer engländer italiener spanier
    amerikaner berliner wiener münchner hamburger kölner europäer ausländer träumer einzelgänger optimist pessimist
    realist première premier dernier dernière fier fière entier régulier meilleur meilleure supérieur extérieur
    amateur amatrice triste optimiste pessimiste réaliste féministe égoïste perfectionniste écologiste touriste
    particulier seul mejor mayor menor señor señora primero primera soltero soltera extranjero extranjera sincero
    sincera entero viajero trabajador trabajadora madrugador hablador perdedor perdedora ganador soñador soñadora
    jugador optimista pesimista realista feminista egoísta egoista perfeccionista turista pessimista femminista
    sognatore sognatrice lettore lettrice giocatore perfezionista solteiro solteira brasileiro brasileira
    estrangeiro estrangeira primeiro primeira verdadeira inteiro trabalhador trabalhadora sonhador sonhadora
    machista caseiro caseira любитель любительница победитель победительница житель жительница зритель родитель
    читатель читательница пользователь обладатель владелец сторонник сторонница поклонник поклонница противник
    участник участница оптимист пессимист реалист эгоист атеист вегетарианец ученик optymistą pesymistą realistą
    egoistą
""")


def _word(fields: Fields, name: str) -> str:
    return (fields.get(name, "").casefold().split() or [""])[0]


def is_name(fields: Fields) -> bool:
    return bool(fields["name"]) and _word(fields, "name") not in _NO_NAMES


def is_thing(fields: Fields) -> bool:
    return _word(fields, "thing") not in _NO_THINGS and fields["thing"].casefold() not in _POINTING


def is_liked(fields: Fields) -> bool:
    return is_thing(fields) and _NO_JOY.isdisjoint(fields["thing"].casefold().split())


def is_town(fields: Fields) -> bool:
    return is_place(fields) and not is_country(fields) and not _NO_PLACES.match(fields["place"])


def is_anywhere(fields: Fields) -> bool:
    return is_place(fields) and not _NO_PLACES.match(fields["place"])


def always(fields: Fields) -> bool:
    return True


def is_job(endings: tuple[str, ...], *, needs_ending: bool) -> Check:
    """Whether it is no mere description of a person; where only the ending tells a job, whether it has one."""

    def holds(fields: Fields) -> bool:
        job = fields["job"].casefold()
        first, *_ = job.split() or [""]
        is_like_a_job = job.endswith(endings) or (len(first) > 3 and first.endswith(endings))
        return bool(first) and first not in _NO_JOBS and (is_like_a_job or not needs_ending)

    return holds


CHECKS = {
    **dict.fromkeys(("name", "introduced", "called", "passing"), is_name),
    **dict.fromkeys(
        (
            "allergy",
            "their_allergy",
            "passing_allergy",
            "never_offer",
            "avoid",
            "like",
            "dislike",
            "hate",
            "favourite",
            "hobby",
        ),
        is_thing,
    ),
    "like": is_liked,
    "home": is_town,
    "passing_home": is_town,
    "country": is_country,
    "from": is_anywhere,
    "born": is_anywhere,
}
