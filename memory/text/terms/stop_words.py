"""Words that say nothing about what a text is about: articles, pronouns, question words, auxiliaries, fillers."""

from functools import cache

from memory.text.terms.folding import folded, small

_WORDS = {
    "en": """
a an the and or but if then than so as of at by for from in into on onto to with without about over under up down out
off between through during before after again i me my mine myself we us our ours you your yours yourself he him his
himself she her hers it its itself they them their theirs this that these those there here what which who whom whose
when where why how is am are was were be been being do does did done doing have has had having will would shall should
can could might must ought not no nor dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant
cannot couldnt shouldnt mustnt aint all any some each both few more most other such own same only too very just also
ever even still yet now because while until ok okay please thanks well oh hey hi hello yes yeah got get gets let lets
im ive youre whats thats
""",
    "de": """
der die das den dem des ein eine einer einen einem eines kein keine keinen keiner und oder aber wenn dann als wie so
zu zum zur von vom mit ohne für auf an am im in ins aus bei beim nach vor über unter durch um bis gegen zwischen ich
mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner er ihn ihm sein seine
seinen seiner sie ihr ihre ihren ihrem ihrer es wir uns unser unsere euch euer eure man sich dies diese dieser dieses
diesen diesem jener jene was welche welcher welches welchen wer wen wem wessen wann wo woher wohin warum wieso weshalb
wozu ist bin bist sind seid war warst waren gewesen wird werde wirst werden wurde worden habe hast hat haben hatte
hatten kann kannst können konnte muss musst müssen soll sollte sollen will willst wollen wollte darf möchte würde wäre
nicht nichts nein ja doch auch nur noch schon sehr mehr mal denn dass ob weil da hier dort jetzt nun also eben etwa
alle alles viel viele bitte danke hallo gibt
""",
    "fr": """
le la les l un une des de du d au aux et ou mais si donc or ni car que qui quoi dont où quand comment pourquoi combien
quel quelle quels quelles lequel laquelle à dans en par pour sur sous avec sans chez vers entre avant après depuis
pendant je j me m moi mon ma mes mien tu te t toi ton ta tes il elle on se s soi son sa ses lui nous notre nos vous
votre vos ils elles leur leurs eux ce c cet cette ces cela ça ceci celui celle ceux y est suis es sommes êtes sont
était étais étaient étiez sera serait ai as a avons avez ont avais avait avaient aurait fait faire peux peut pouvez
peuvent pourrait dois doit veux veut voudrais ne n pas plus non oui très trop aussi encore déjà même tout tous toute
toutes bien alors ainsi comme là ici puis merci bonjour salut qu jusqu lorsqu puisqu quelqu
""",
    "es": """
el la los las un una unos unas lo al del de a ante bajo con contra desde en entre hacia hasta para por según sin sobre
tras y e o u pero si no ni que qué quién quien quiénes quienes cuál cual cuáles cuándo cuando dónde donde adónde cómo
como cuánto cuánta cuántos cuántas porque pues yo me mi mí mis mío mía tú tu ti te tus él ella ello le les se su sus
suyo nosotros nos nuestro nuestra nuestros vosotros os vuestro vuestra ellos ellas usted ustedes este esta esto estos
estas ese esa eso esos esas aquel aquella es soy eres somos son era eras eran fue fui fueron ser sido está estoy estás
están estaba estaban estar hay he has ha hemos han había haber tengo tiene tienes tenía puedo puede puedes debo debe
quiero quiere muy más menos también ya aún así aquí ahí allí todo toda todos todas otro otra algo alguien nada sí
gracias hola favor
""",
    "it": """
il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle dell al allo alla ai agli
alle all dal dallo dalla dai dalle dall nel nello nella nei nelle nell sul sullo sulla sui sulle sull col e ed o ma se
non né che chi cosa cos quale quali quando dove dov come com perché quanto quanta quanti quante io me mi mio mia miei
mie tu te ti tuo tua tuoi tue lui lei egli ella esso si sé suo sua suoi sue noi ci nostro nostra nostri voi vi vostro
vostra loro questo questa questi queste quello quella quelli quelle quel quell ciò è sono sei siamo siete era ero eri
erano fu essere stato stata ho hai ha abbiamo avete hanno avevo aveva avere posso puoi può devo deve vuoi vuole vorrei
fa fare c ne più meno molto anche ancora già così qui qua là lì tutto tutti tutta tutte altro solo poi sì no grazie
ciao cioè
""",
    "nl": """
de het een der des t en of maar als dan dus want om te tot van voor met zonder op aan in uit bij naar door over onder
tussen tegen na sinds ik me mij mijn m jij je jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun hen
zich dit dat deze die daar hier er wat wie wiens welke welk wanneer waar waarom hoe hoeveel waarheen is ben bent was
waren wees geweest wordt word worden werd heb hebt heeft hebben had hadden kan kun kunt kunnen kon konden moet moeten
moest mag zal zullen zou zouden wil wilt willen wilde doe doet doen deed ga gaat niet niets geen nee ja ook nog al wel
toch eens even maar heel erg meer veel alle alles iets iemand ander andere nu toen zo omdat hallo dank bedankt graag
mn zn
""",
    "pl": """
i a o u w z ze we na do od po za pod nad przed przy przez dla bez między oraz lub albo ale lecz więc bo że żeby aby
czy jak jaki jaka jakie jakiego jaką kto kogo komu kim co czego czemu czym gdzie kiedy dlaczego skąd dokąd ile który
która które których ja mnie mi mną mój moja moje mojego mojej moim moją moi ty ciebie cię ci tobie twój twoja twoje
twojego twojej on ona ono jego go jemu mu jej ją nią nim niej my nas nam nasz nasza nasze wy was wam wasz oni one ich
im się siebie sobie swój swoje ten ta to tego tej temu tym te tę tych tam tu tutaj jest jestem jesteś są być był była
było były będzie będę ma mam masz mają miał miała może mogę można nie tak też także już jeszcze tylko bardzo niż by
wszystko coś ktoś sam taki proszę dziękuję cześć
""",
    "pt": """
o a os as um uma uns umas de do da dos das em no na nos nas num numa ao à aos às por pelo pela pelos pelas para pra
com sem sob sobre entre até desde e ou mas se que quê quem qual quais quando onde aonde como porque porquê quanto
quanta quantos quantas eu me mim meu minha meus minhas tu te ti teu tua teus você vocês ele ela eles elas lhe seu sua
seus suas nós nosso nossa nossos vós vos dele dela deles este esta isto estes esse essa isso esses essas aquele aquela
aquilo é sou és somos são era eram foi fui foram ser sido está estou estás estão estava estar há ter tenho tem têm
tinha pode posso podem deve quero quer vai vou ir não nem sim já só também muito mais menos ainda aqui ali lá tudo
todo toda todos todas outro outra algo alguém então assim obrigado obrigada olá
""",
    "tr": """
bir ve veya ya da de ki ile için gibi kadar göre ama fakat ancak çünkü eğer ise mi mı mu mü ben bana beni benim bende
benden sen sana seni senin sende o ona onu onun onlar onların biz bize bizi bizim siz size sizi sizin kendi bu bunu
bunun buna bunlar şu şunu şey ne neyi neler nedir neden niçin niye nasıl nerede nereye nereden hangi hangisi kim kimi
kimin kime kaç zaman var yok değil idi imiş olan olarak oldu olur olmak oldum olduğu eder etti etmek daha en çok az
hem her hiç bazı tüm bütün diğer şimdi sonra önce böyle öyle işte evet hayır tamam lütfen teşekkürler merhaba mısın
misin musun mıyım miyim
""",
    "ru": """
и в во на с со к ко о об от до из за по под над при про для без у через между а но или же ли бы если то что чтобы как
так где когда куда откуда почему зачем сколько кто кого кому кем чего чему чем какой какая какое какие какого который
которая которые чей чья я меня мне мной мой моя моё мои моего моей моему моим моих мою ты тебя тебе тобой твой твоя
твоё твои твоего твоей он его ему им ним она её ей неё ней оно мы нас нам нами наш наша наше вы вас вам вами ваш ваша
они их ими них себя себе свой своя своё свои этот эта это эти этого этой этом тот та те того там тут здесь был была
было были быть буду будет есть нет не ни да уже ещё только очень тоже также даже вот ну ведь можно может могу нужно
надо всё все всех весь вся потом теперь сейчас тогда спасибо пожалуйста привет
""",
    "ar": """
في من إلى على عن مع بين تحت فوق قبل بعد عند منذ حتى خلال حول و أو أم ثم لكن بل إن أن إذا لو لأن كي كما هل ما ماذا
لماذا من متى أين كيف كم أي أية أنا أنت أنتم أنتي نحن هو هي هم هن لي لك له لها لنا لكم لهم بي بك به بها فيه فيها منه
منها عليه عليها إليه إليها هذا هذه هؤلاء ذلك تلك هناك هنا الذي التي الذين اللذين كان كانت كنت كانوا يكون تكون أكون ليس
ليست لست لم لن لا نعم قد سوف كل بعض جميع غير أيضا فقط جدا الآن عندي عندك لدي لديك لديه يا ولا وما وهو وهي وفي ومن وأنا
شكرا مرحبا أكثر مثل نفس
""",
    "zh": """
的 了 是 在 我 你 您 他 她 它 们 們 吗 嗎 呢 吧 啊 着 著 过 過 和 与 與 也 都 就 很 这 這 那 哪 谁 誰 什 么 麼 甚 怎
几 幾 不 没 沒 有 把 被 给 給 跟 对 對 从 從 到 还 還 又 再 个 個 之 为 為 所 以 而 或 但 如 因 要 会 會 能 可 想 说
說 请 請 我们 你们 他们 她们 我的 你的 我們 你們 他們 什么 什麼 怎么 怎麼 怎样 哪里 哪裡 哪个 那里 这里 那个 这个 這個
那個 为什 多少 时候 時候 知道 现在 一个 一個 一下 一些 因为 所以 但是 如果 可以 没有 不是 就是 还是 或者 谢谢 謝謝
你好
""",
    "ja": """
私 僕 俺 君 何 誰 彼 貴 方 時 事 今 彼女 何時 何処 一番 今日 です ます した して いる ある する こと もの から まで
など ない たい った って には では とは での にも ここ そこ どこ これ それ あれ どれ この その あの どの だれ なに
いつ どう なぜ でも けど ので のに よう さん まし たか ませ せん しょ ょう うか んで すか いま てい だっ った なん
なの のは のが のを があ りま あり うし いつ つも くだ ださ さい てく くれ えて あな なた わた たし はい いえ そう
うで とう りが がと たの てる れて られ れは れが れを
れの れも れで
""",
    "ko": """
나 나는 내 내가 나의 나를 저 저는 제 제가 저의 너 너는 네 네가 너의 당신 당신은 우리 우리는 그 그는 그녀 그녀는 이
이것 그것 저것 것 게 건 뭐 뭐야 무엇 무엇을 무엇이 무슨 어떤 어느 언제 어디 어디서 어디에 어디로 누가 누구 왜 어떻게
얼마 얼마나 몇 수 때 있다 있는 있어 있어요 있나요 있었어 없다 없는 없어 없어요 이다 이야 이에요 예요 입니다 인가요
하다 하는 해요 합니다 그리고 그런데 하지만 그래서 그러나 또 또는 좀 더 잘 안 못 네 예 아니 아니요 감사합니다
안녕하세요 에서 으로 니다 습니 어요 아요 세요 나요 까요 해줘 대해 대한 위해
""",
    "th": """
ของ ที่ และ หรือ กับ จาก เพื่อ สำหรับ โดย เมื่อ ถ้า เพราะ เพราะว่า ว่า เป็น คือ อยู่ ได้ ให้ ไม่ แล้ว กำลัง เคย ต้อง
ควร อยาก สามารถ ฉัน ผม ดิฉัน คุณ เธอ เขา เรา พวกเขา พวกเรา นี้ นั้น นี่ นั่น โน้น ที่นี่ ที่นั่น อะไร ใคร ไหน ที่ไหน
เมื่อไหร่ เมื่อไร ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร กี่ ไหม มั้ย หรือเปล่า ครับ ค่ะ คะ นะครับ นะคะ มาก ด้วย อีก ทุก
กว่า ซึ่ง ความ ยัง ก็ จะ ถึง เช่น แค่ เลย ขอบคุณ สวัสดี
""",
}

_NAMESAKES = frozenset("su uber fur meme".split())  # noqa: SIM905
"""Words of their own that some stop word becomes without its accents: Turkish "şu" is "that", "su" is water."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language in small letters, also as they are typed without accents."""
    words = frozenset(small(_WORDS.get(language, ""), language=language).split())
    return words | (frozenset(map(folded, words)) - _NAMESAKES)
