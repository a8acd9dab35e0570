"""Words that tell nothing about what a chat is about, in many languages: function words, small talk, words of help."""

_BY_LANGUAGE = (
    # English
    """
    a an the this that these those there here it its i i'm i've i'll i'd me my mine myself you your you're you've
    you'd you'll yours he him his she her they them their we us our ours who whom whose what what's which when where
    why how and or but so if then else than because while until of to in on at by for from with without about into
    over under up down out off as be is am are was were been being isn't aren't wasn't do does did done doing don't
    doesn't didn't have has had having haven't can can't cannot could couldn't will won't would wouldn't should
    shouldn't shall may might must get gets got getting go goes going gonna went gone come comes came coming make
    makes made making take takes took let let's say says said tell tells told ask asked asking know knows knew known
    think thinks thought see seen saw look looks looking want wants wanted need needs needed like likes liked use
    using used try trying tried give gives gave keep put seem seems sound sounds sounded feel feels felt mean means
    meant guess hope wish wonder help helps helped helping thank thanks please sorry welcome glad happy sure yes yeah
    yep no nope not n't never ever always often sometimes maybe perhaps probably definitely absolutely certainly
    course exactly really very quite just only also too even still yet already again now today tomorrow yesterday
    later soon first last next back well good great nice fine cool awesome amazing wonderful perfect excellent bad
    better best much many more most less few little bit lot lots some any all both each every other another same such
    own thing things something anything nothing everything someone anyone everyone one ones way ways kind sort stuff
    time times day days people question questions answer answers idea ideas problem point right left okay ok alright
    hi hello hey bye morning evening night love interesting understand understood makes sense step steps start started
    that's it's there's here's where's who's he's she's they're we're we've we'll actually basically honestly anyway
    though although however work works worked option options good-bye chat talk share shared wow oh ah haha lol hmm em
    """,
    # German
    """
    der die das den dem des ein eine einen einem einer eines kein keine keinen ich mich mir mein meine meinen meinem
    du dich dir dein deine deinen sie ihr ihre ihren ihm ihn wir uns unser unsere es er und oder aber denn weil wenn
    dann als ob dass damit wie was wer wo wann warum wieso welche welcher welches in im an am auf aus bei mit nach von
    vom zu zum zur für über unter vor durch um ohne bis seit ist bin bist sind seid war waren wäre sein habe hab hast
    hat haben hatte hätte wird werde werden wurde kann kannst können könnte könntest muss müssen soll sollte will
    wollen möchte mag machen macht mache gemacht gehen geht ging gibt geben sagen sagt gesagt wissen weiß denke denken
    glaube finde brauche brauchen nehmen sehen ja nein doch nicht nichts nie immer oft manchmal vielleicht
    wahrscheinlich sicher klar natürlich genau gerne gern bitte danke dank vielen hallo guten morgen abend tag tschüss
    hilfe helfen frage fragen gut gute guter super toll prima schön sehr ganz viel viele mehr etwas alles auch nur
    noch schon jetzt heute gestern wieder hier da so mal eigentlich einfach leider also
    """,
    # French
    """
    le la les l un une des du de d au aux ce cet cette ces c je j me m moi mon ma mes tu te t toi ton ta tes il elle
    on nous vous ils elles leur leurs notre nos votre vos lui se s son sa ses y en et ou mais donc or ni car si que qu
    qui quoi dont où quand comment pourquoi quel quelle quels quelles dans sur sous avec sans pour par chez vers est
    suis es sommes êtes sont était étais être ai as a avons avez ont avais avait avoir fait faire fais va vais aller
    peux peut pouvez pouvoir pourrais voudrais veux veut dois doit faut sais sait savoir dire dit pense crois voir oui
    non ne n pas plus moins jamais toujours souvent peut-être bien très trop assez aussi encore déjà maintenant
    aujourd'hui hier bonjour bonsoir salut merci beaucoup svp plaît aide aider question bon bonne super parfait génial
    tout tous toute rien quelque chose autre même ici là comme alors
    """,
    # Spanish
    """
    el la los las lo un una unos unas de del al a en con sin por para sobre entre hasta desde que qué quien quién cual
    cuál cuando cuándo donde dónde como cómo porque por qué y e o u pero si sí no ni yo me mí mi mis tú te ti tu tus
    él ella usted nosotros nos ustedes ellos ellas su sus se le les es soy eres somos son era fue ser estar estoy está
    estás están estaba he has ha hemos han haber hay tengo tiene tienes tener hacer hago hace hizo ir voy va vas puedo
    puede puedes poder podría quiero quiere querer quisiera debo debe necesito saber sé sabe decir dice creo pienso
    ver muy más menos mucho mucha muchos poco también tampoco siempre nunca ya ahora hoy ayer mañana aquí allí hola
    buenos buenas días tardes noches gracias favor ayuda ayudar pregunta bien bueno buena genial perfecto todo todos
    nada algo cosa otro otra mismo este esta esto ese esa eso así entonces
    """,
    # Portuguese
    """
    o os as um uma uns umas do da dos das no na nos nas ao à em com sem por pelo pela para pra sobre que quem qual
    quando onde como porque mas se sim não nem eu me mim meu minha meus tu você vocês te teu tua seu sua ele ela nós
    eles elas é sou são era foi ser estar estou está estão tenho tem ter fazer faço faz fez ir vou vai posso pode
    poder poderia quero quer gostaria devo preciso sei sabe dizer disse acho ver muito mais menos pouco também sempre
    nunca já agora hoje ontem amanhã aqui ali olá oi bom boa dia tarde noite obrigado obrigada favor ajuda ajudar
    pergunta bem ótimo perfeito tudo nada algo coisa outro outra mesmo isso isto este esta então
    """,
    # Italian
    """
    il lo gli i un uno una di del dello della dei degli delle a al alla ai in nel nella con su sul per tra fra da dal
    dalla che chi cui quale quando dove come perché e ed o ma se sì non né io mi me mio mia miei tu ti te tuo tua lui
    lei noi ci voi vi loro suo sua è sono sei siamo era essere ho hai ha abbiamo hanno avere fare faccio fa fatto
    andare vado va posso può potrei puoi voglio vuole vorrei devo deve bisogno so sa dire detto credo penso vedere
    molto più meno poco anche sempre mai già ora adesso oggi ieri domani qui lì ciao buongiorno buonasera grazie mille
    prego favore aiuto aiutare domanda bene buono buona ottimo perfetto tutto tutti niente qualcosa cosa altro stesso
    questo questa quello così allora
    """,
    # Dutch
    """
    de het een en of maar want dus als dan dat die dit deze wie wat waar wanneer waarom hoe welke ik me mij mijn je
    jij jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun van in op aan met voor naar bij uit over om
    door tot zonder te is ben bent was waren heb hebt heeft hebben had word wordt worden kan kun kunnen kon zou moet
    moeten wil willen mag gaan ga gaat doe doet doen maken zeggen weet weten denk zien ja nee niet niets geen nooit
    altijd vaak misschien zeker graag alsjeblieft bedankt dank hallo hoi goedemorgen hulp helpen vraag goed goede mooi
    fijn prima heel erg veel meer iets alles ook nog al nu vandaag gisteren morgen hier daar er zo wel even
    """,
    # Swedish, Danish, Norwegian
    """
    och og i på att at det den de en ett et som är er var vara være jag jeg mig meg min mitt mine du dig deg din ditt
    han hon hun vi oss ni dere man inte ikke ej men eller om för for av med till til från fra hur hvordan vad hva hvad
    när når var hvor varför hvorfor vilken hvilken har hade hadde havde kan kunne ska skal skulle vill vil ville måste
    må göra gör gjøre gjør går gå få får ja nej nei tack takk tak hej hei god bra mycket mye meget mer mere också også
    bare bara nu nå idag her här där der så hjälp hjelp hjælp fråga tycker synes tror vet ved lite litt lidt
    """,
    # Finnish, Hungarian, Turkish
    """
    ja tai mutta että jos kun niin on olen olet oli olla ei en minä minun sinä hän me te he se tämä mitä mikä miten
    missä milloin miksi kuka voi voin voisi pitää haluan kiitos hei moi hyvä hyvää joo kyllä nyt tänään myös vain
    vielä paljon a az egy és vagy de hogy ha mert nem igen van vagyok volt lesz én te ő mi ti ők ez mit mi miért
    hogyan hol mikor kell lehet tud tudok szeretnék köszönöm szia jó nagyon most ma már még csak is itt ve veya ama ki
    de da bu şu o bir ben benim bana sen senin sana biz siz onlar ne nasıl neden niçin nerede zaman için ile gibi çok
    daha en var yok mı mi mu mü değil evet hayır olur oldu olan istiyorum lazım teşekkürler merhaba selam iyi güzel
    şimdi bugün lütfen yardım
    """,
    # Polish, Czech
    """
    i w we z ze na do od po o u za dla przez nie tak to ten ta te ja mi mnie mój moja ty ci ciebie twój on ona my wy
    oni się jest jestem są był była było być mam ma mieć może mogę można chcę chciałbym muszę trzeba co kto jak gdzie
    kiedy dlaczego czy ale lub więc że bo jeśli bardzo też tylko już jeszcze teraz dziś wczoraj dziękuję dzięki cześć
    dzień dobry proszę pomoc dobrze dobra a v s k ke pro ne ano ten já mě mně můj ty tě tvůj on ona jsem jsi je jsou
    byl byla bylo být mám má může můžu chci musím co kdo jak kde kdy proč nebo ale že když velmi také jen už ještě teď
    dnes včera děkuji díky ahoj dobrý den prosím pomoc dobře
    """,
    # Russian, Ukrainian
    """
    и в во на с со к ко о об от до по за из у для без при не ни да нет но или а что чтобы как где когда почему кто
    какой какая какие это этот эта эти то тот та те я мне меня мой моя моё мои ты тебе тебя твой он она оно они мы нас
    нам вы вас вам ваш его её их есть был была было были быть буду будет могу может можно нужно надо хочу хотел бы ли
    же уже ещё очень так там тут здесь сейчас теперь сегодня вчера завтра тоже только просто если спасибо пожалуйста
    привет здравствуйте добрый день хорошо отлично помощь помочь вопрос все всё ничего себя і й та але що як де коли
    чому хто це цей я мені мене мій ти він вона вони ми ви не так ні був була було бути можу може треба хочу дуже тут
    зараз сьогодні дякую привіт добре
    """,
    # Arabic, Hebrew, Hindi
    """
    في من إلى على عن مع هذا هذه ذلك التي الذي ما ماذا كيف متى أين لماذا هل أنا أنت هو هي نحن هم كان كنت يكون لا نعم لم
    لن قد أن إن أو و ثم لكن شكرا مرحبا جدا الآن اليوم أيضا كل شيء بعض أريد يمكن של את על עם אני אתה הוא היא אנחנו הם
    זה זאת מה מי איך מתי איפה למה לא כן יש אין היה או אבל גם רק כל תודה שלום טוב के का की को में से पर है हैं था थी थे
    हूँ हो और या लेकिन यह वह ये वे मैं मेरा मेरी मुझे तुम आप आपका हम क्या कैसे कब कहाँ क्यों कौन नहीं हाँ भी ही तो
    बहुत अब आज धन्यवाद नमस्ते कर करना
    """,
)

EVERYDAY_WORDS = frozenset(word for words in _BY_LANGUAGE for word in words.split())
"""All of them, in lower case. A word of one language may be one of another: "die", "war", "mit"."""
