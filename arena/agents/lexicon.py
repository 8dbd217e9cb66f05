"""Word lists of English and German: verbs that begin steps, question words, words without content."""

from __future__ import annotations


def word_set(table: str) -> frozenset[str]:
    """The words of a text table."""
    return frozenset(table.split())


STOP_WORDS = word_set(
    """
    a an the this that these those it its he she they them their his her my our your we you i me us one ones is
    are was were be been being am do does did done has have had having can could shall should will would may
    might must and or but nor so if then than as at by for from in into of off on onto out over per to up with
    within without about after before until since between under again also too just only very more most much
    many any some all each every both no not never none nothing here there where when which who whom whose what
    why how please let lets like need want tell say give get got make thing things something anything someone
    now new way use using used via etc yes er sie es wir ihr ich du man der die das den dem des ein eine einen
    einem einer eines kein keine keinen keiner nicht nichts nie ist sind war waren sein bin bist wird werden
    wurde worden hat haben hatte kann können könnte soll sollen muss müssen darf dürfen mag möchte möchten
    wollen und oder aber wenn dann als wie auf aus bei bis für gegen im ins mit nach ohne über um unter vom von
    vor zu zum zur zwischen auch nur noch schon sehr mehr hier dort wo wann welche welcher welches welchen wer
    wen wem warum bitte mir mich uns euch dir dich ihm ihn ihnen mein meine unser unsere dein deine ihre ihren
    seine seinen etwas alles alle allen jede jeder jedes dieser diese dieses diesen diesem sag sage nenne gib
    mach mache machen tun dass ob damit davon dazu dabei danach doch mal
    """
)
"""Words too common to choose a tool by."""

GERMAN_MARKS = word_set(
    """
    der die das den dem des ein eine einen einem einer und oder nicht ist sind wird mit für von vom zum zur
    bitte im auf aus ich du wir er sie welche welcher welches wie wo wann warum kein keine ändere prüfe
    suche zeige finde lies schreibe
    """
)
"""German function words and openings that tell the language of a task."""

ACTION_VERBS = word_set(
    """
    add ask bring save analyse analyze apply approve archive assign attach block book build buy calculate call
    cancel change check clean close collect compare compute convert copy count create cut delete deploy describe
    detach disable download draft draw drop edit email enable escalate estimate execute export extract fetch
    file fill find fix flag forward format generate get give grant hand help import inform inspect install
    investigate invite issue link list load locate lock log look mail make mark measure merge move mute note
    notify open order organise organize patch pause ping plan post prepare print propose publish pull push put
    query raise read rebuild record refund register reject release remind remove rename reopen repair replace
    reply report request reschedule reserve reset resolve restart restore retrieve return revert review revoke
    roll rotate run scale schedule search send set ship show shut sort split start stop submit summarise
    summarize sync tag take test trace track transfer translate trim undo unlock update upgrade upload use
    validate verify wait write ändere analysiere antworte archiviere aktualisiere beantworte bearbeite
    benachrichtige berechne beschreibe bestelle brich buche drossle entferne entwirf ermittle erinnere erkläre
    erstatte erstelle ersetze exportiere finde formatiere frage frag füge führe hole hol informiere installiere
    kündige leg lege leite lies liste lösche löse mache markiere melde merke miss nimm notiere öffne pausiere
    plane prüfe repariere reserviere rufe sammle schalte schätze schau schaue schicke schick schließe schließ
    schlage schreib schreibe sende setz setze sieh sperre speichere starte stelle stell stoppe storniere such
    suche teste trage trag übersetze überprüfe untersuche verbinde vergleiche verlängere verschiebe verknüpfe
    vergib wähle wandle weise weis zähle zeichne zeige zeig ziehe
    """
)
"""Words that begin a step of a task."""

ALSO_NOUNS = word_set(
    """
    book build call check copy cut draft email estimate export file flag format grant help import issue link list load
    lock log look mail mark measure note order pause plan post print query raise record refund register release
    report request reset return review search sort start stop tag test ticket trace track transfer use
    """
)
"""Verbs that name a thing when a number, an id or a path follows."""

REPORT_VERBS = word_set(
    """
    tell say explain report name cite answer state quote mention summarise summarize sag sage nenne nenn erkläre
    erklär berichte zitiere antworte begründe fasse
    """
)
"""Words that begin a wish to be told something."""

QUESTION_WORDS = word_set(
    """
    what which who whom whose when where why how is are was were does do did has have can could welche welcher
    welches welchen wer wen wem wann wo wohin warum wie wieviel ist sind hat haben gibt kann
    """
)
"""Words that begin a question."""

LOOKING_VERBS = word_set(
    """
    analyse analyze check compare count describe examine explain fetch find get inspect investigate list load locate
    look measure open query read research retrieve review scan search see show summarise summarize trace verify
    analysiere ermittle finde hole lies liste prüfe recherchiere schau sieh suche untersuche vergleiche zähle zeige
    """
)
"""Verbs of steps that look at something without changing it."""

ENGLISH_MARKS = word_set(
    """
    the a an of and to is are was which what with for that this tell his her from has it in on my our please me
    """
)
"""English function words that tell the language of a task."""

VAGUE_VERBS = word_set(
    """
    improve better fix clean tidy optimise optimize enhance handle deal sort change update adjust tweak polish
    refactor rework help do look see check review make finish continue care rid repair verbessere optimiere
    ändere änder kümmere mach mache räume repariere bearbeite überarbeite schau sieh prüfe hilf regle behebe
    korrigiere passe
    """
)
"""Verbs that say nothing about the wanted outcome."""

PRONOUNS = word_set(
    """
    it this that them these those one ones he she him her everything all something stuff thing things es das
    dies diese dieses sie ihn ihm ihr alles etwas sache ding zeug
    """
)
"""Words that stand for a thing without naming it."""

FILLERS = word_set(
    """
    up down out better nicer good well properly right soon quickly bit little besser schöner gut ordentlich bald
    schnell mal auf whole please bitte
    """
)
"""Words that add nothing to a vague wish."""
