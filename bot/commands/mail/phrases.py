"""Phrases of mail programs and letter writers in many languages, for what in a letter has no structure by which it is known."""

from __future__ import annotations

import re

INTRODUCTION = re.compile(
    r"(?:On|At|Am|Le|Il|Op|El|Em|Den|Dne|Dňa|Dnia|W dniu|Pe|În|Às|Στις|Ημ|На|Pada|Vào|Quoting|Quoth|Zitat|In)\b|[在于於]",
    re.I,
)
"""The introduction of a quotation; not enough evidence without other signs."""

LABEL = re.compile(
    r"From|Sent|Date|To|Cc|Subject|Reply-To|Von|Gesendet|Datum|An|Betreff|De|Envoy[ée]|À|Objet|Enviad[oa](?: el| em)?|Para|Asunto"
    r"|Fecha|Da|Inviato|Data|Oggetto|Van|Verzonden|Aan|Onderwerp|Från|Skickat|Till|Ämne|Fra|Sendt|Til|Emne|Od|Wysłan[eo]|Do|Temat"
    r"|Odesláno|Komu|Předmět|Lähettäjä|Lähetetty|Vastaanottaja|Aihe|Feladó|Elküldve|Címzett|Tárgy|De la|Trimis|Către|Subiect"
    r"|От|Отправлено|Кому|Тема|Дата|Від|Από|Εστάλη|Στάλθηκε|Προς|Θέμα|Kimden|Gönderildi|Kime|Konu|Šalje|Poslano|Za|Predmet"
    r"|差出人|送信日時|宛先|件名|发件人|发送时间|收件人|主题|寄件者|寄件人|寄件日期|收件者|主旨|보낸 사람|보낸 날짜|받는 사람|제목|מאת|נשלח|אל|נושא|من|إلى",
    re.I,
)
"""Labels before the colon in the head of a quoted mail."""

ORIGINAL = re.compile(
    r"(?:begin forwarded message|original message|forwarded message|anfang der weitergeleiteten|ursprüngliche nachricht"
    r"|original-?nachricht|weitergeleitete nachricht|début du message|message d'origine|message transféré|messaggio originale"
    r"|inizio messaggio|mensaje original|inicio del mensaje|oorspronkelijk bericht|begin doorgestuurd|ursprungligt meddelande"
    r"|oprindelig meddelelse|opprinnelig melding|oryginalna wiadomość|wiadomość oryginalna|původní (?:zpráva|e-mail))\b.{0,40}",
    re.I,
)

SENT = re.compile(
    r"(?:Sent|Gesendet|Get|Holen|Von mein\w*(?:/\w+)?|Dies[er]\w* (?:Nachricht|E-?Mail|Mail)|Envoyée?|Téléchargez|Télécharger|Obtenez"
    r"|Obtener|Obtén|Obter|Obtenha|Enviad[oa]|Enviat|Inviat[oa]|Scarica|Ottieni|Verstuurd|Verzonden|Skickat|Skickades|Hämta|Sendt"
    r"|Send|Hent|Lähetetty|Hanki|Wysłan[eo]|Pobierz|Odesláno|Odoslané|Poslan[oé]|Küldve|Trimis|Отправлено|Послано|Надіслано"
    r"|Відправлено|Изпратено|Послато|Στάλθηκε|Εστάλη|Αποστολή|Gönderildi|Išsiųsta|Nosūtīts|Saadetud|Dikirim|Dihantar|Được gửi"
    r"|Gửi từ|Bidalita|Sendur|Anfonwyd|Dictated|Diktiert|Written on|Composed|Typed on|Excuse|Entschuldig\w+)\b"
    r"|发自|發自|從我|从我的|来自|來自|获取|取得|나의|내 |ส่งจาก|נשלח|أرسل|مُرسل|مرسل|ارسال|فرستاده|से भेजा",
    re.I,
)
"""Beginnings of lines that mail programs add below a letter."""

PRODUCT = re.compile(
    r"iPhone|iPad|Android|Outlook|Proton ?Mail|Tutanota|Tuta\b|\bGMX\b|WEB\.DE|Yahoo|\bAOL\b|Samsung|Galaxy|Huawei|Xiaomi"
    r"|BlackBerry|Windows Phone|Thunderbird|K-9|FairEmail|BlueMail|Edison Mail|Superhuman|Mailspring|Zoho|Gmail|iCloud|Fastmail"
    r"|Mailbird|eM Client|Smartphone|Mobiltelefon|Antivir|Avast|\bAVG\b|Virus-?free|Virenfrei|Яндекс|Почты? Mail|から送信|에서 보냄"
    r"|gönderildi|küldve|Mail App|mailing list",
    re.I,
)
"""Words that no move contains."""

SIGN_OFF = re.compile(
    r"(?:cheers|thanks|thank you|thx|many thanks|tia|ta|cu|cya|bye|goodbye|see (?:you|ya)|so long|talk (?:soon|later)|take care"
    r"|keep (?:well|safe)|all the best|best (?:wishes|regards)|(?:kind|warm)(?:est)? regards|regards|rgds|yours(?: \w+)?|sincerely"
    r"|love|xoxo|xx|good (?:luck|night|evening|morning|game)|have (?:a|fun)|happy|sorry|hope|looking forward|until (?:then|tomorrow)"
    r"|greetings|cordially|respectfully|peace|no (?:hurry|rush|worries)"
    r"|lg|vg|hg|sg|glg|mfg|gr[uü](?:ß|ss)\w*|(?:ganz )?(?:viele|liebe|beste|schöne|herzliche|freundliche|sonnige|bahnige) gr[uü]\w+"
    r"|mit (?:freundlich|lieb|best|herzlich)\w+|alles (?:gute|liebe)|bis (?:dann|bald|morgen|später|nachher|demnächst|die tage)"
    r"|danke|vielen dank|merci|servus|tsch(?:üss|üß|au)|ciao|gute nacht|guten abend|schön(?:en|e[sr]?) (?:tag|abend|woche|wochen)\w*"
    r"|hochachtungsvoll|dein|deine|eure?|cordialement|bien (?:à vous|cordialement)|amicalement|(?:à|a) (?:bientôt|plus|demain)"
    r"|bises|bisous|salutations|salut|bonne (?:journée|soirée)|saludos|un (?:saludo|abrazo)|gracias|abrazos|atentamente|hasta"
    r"|saluti|cordiali|distinti|un saluto|grazie|a presto|buona (?:giornata|serata)|groet\w*|met vriendelijke|vriendelijke|mvg|bedankt"
    r"|dank je|hälsningar|(?:vänliga|bästa) hälsningar|mvh|med (?:venlig|vennlig|vänlig|beste?)\w*|vennlig\w*|venlig\w*|hilsen|kh|hej då|tack|takk"
    r"|tak|ha det|terveisin|ystävällisin|terveiset|t\.|kiitos|pozdrawiam|pozdrowienia|z poważaniem|dzięki|serdeczn\w+|s pozdravem"
    r"|pozdrav\w*|zdrav\w*|díky|ahoj|üdvözlettel|üdv\w*|köszön\w*|cu (?:stimă|drag)|mulțumesc|с уважением|спасибо|всего доброго|привет"
    r"|з повагою|дякую|поздрави|με εκτίμηση|ευχαριστώ|saygılar\w*|sevgiler|selamlar|teşekkür\w*|abraços?|atenciosamente|obrigad[oa]"
    r"|cumprimentos|att|até)(?![\w'-])|よろしく|敬具|ありがとう|谢谢|謝謝|祝好|此致|감사합니다|감사|תודה|בברכה|شكرا|مع تحيات"
    r"|best[,.!]?$|warmly[,.!]?$|soon[,.!]?$",
    re.I,
)
"""Closing phrases of a letter; never its first line."""

ABSENT = re.compile(
    r"(?:(?:re|aw|sv|antw|r|fw):\s*|\[[^\]]{0,30}\]\s*){0,3}"
    r"(?:out of (?:the )?office|automatic(?:ally generated)? (?:reply|response)|auto(?:mated)?[ -]?(?:reply|response)|away from|i am away|vacation"
    r"|on (?:vacation|holiday|leave)|abwesen\w*|automatische (?:antwort|nachricht|rückmeldung)|autoantwort|ich bin (?:nicht )?(?:im|in) "
    r"|nicht im büro|urlaub\w*|réponse automatique|(?:message |notification )?d?.?absence|absence du bureau|absent|respuesta automática|fuera de (?:la )?oficina|ausen\w+"
    r"|risposta automatica|fuori (?:ufficio|sede)|assente|automatisch(?:e)? antwoord|afwezig\w*|autosvar|automatis[kt]+ svar|frånvar\w*|fravær\w*"
    r"|ikke på kontoret|automaattinen|poissa\w*|autoodpowiedź|automatyczna odpowiedź|odpowiedź automatyczna|nieobecno\w+|automatická odpov[ěe]ď"
    r"|nepřítomnost|automatikus válasz|házon kívül|răspuns automat|resposta automática|автоответ|автоматический ответ|автоматична відповідь"
    r"|αυτόματη απάντηση|otomatik yanıt|自動応答|不在|自动回复|自動回覆|자동 ?(?:응답|회신)|부재중|תשובה אוטומטית|رد تلقائي)",
    re.I,
)
"""Beginnings of the subjects of absence notes."""

AWAY = re.compile(
    r"out of (?:the )?office|automat(?:ic|ed) (?:reply|response|message)|auto-?reply|limited access to (?:my )?e?-?mail|nicht im (?:büro|hause?)"
    r"|abwesenheit\w*|automatische (?:antwort|nachricht)|automatisch (?:erstellt|generiert)\w*|absent\w* d\w+ bureau|réponse automatique"
    r"|fuera de la oficina|respuesta automática|fuori (?:ufficio|sede)|risposta automatica|niet (?:op|aanwezig op) kantoor|afwezig\b|autosvar"
    r"|ikke på kontoret|inte på kontoret|nieobecn\w+|poza biurem|mimo kancelář|fora do escritório|resposta automática|отсутству\w+ в офисе"
    r"|автоматический ответ|不在にして|自动回复|자동 응답",
    re.I,
)
"""Phrases in the first lines of absence notes."""
