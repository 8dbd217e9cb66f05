"""A small general dictionary, German to English, so that German tasks meet English tool descriptions."""

from __future__ import annotations

_TABLE = """
abbestell: cancel | abbrech: cancel | abo: subscription | abonnement: subscription | absag: cancel
abteilung: department team | adresse: address | aktualisier: update | aktuell: current | alarm: alert
analysier: analyse inspect | angebot: quote offer | anhang: attachment | anlage: attachment | anleg: create
anlege: create | anruf: call | anschrift: address | anteil: share | antwort: reply answer | anwend: apply
anzahl: count number | anzeig: show | artikel: article product item | aufgabe: task | aufruf: call | auftrag: order
ausführ: run execute | ausgab: output | auslastung: load usage | auswert: analyse report | autor: author
bearbeit: edit | bedeut: mean explain | begründ: explain reason | benachrichtig: notify | benutzer: user
berechn: compute calculate | bericht: report | beschreib: describe | beschädigt: damaged | beseitig: remove fix
bestand: stock inventory | besteht: exist | bestell: order | betrag: amount | bewert: review rating | bezahl: pay
bild: image | bisher: previous | brauch: need | brief: letter | buch: book | buchung: booking | budget: budget
code: code | datei: file | daten: data | datenbank: database | dauer: duration | diagramm: chart | dienst: service
dokument: document | drossel: limit | durchschnitt: mean average | einlad: invite
einstell: setting set configuration | eintrag: entry record | eintrags: entry | entfern: remove delete
enthalten: contain | enthält: contain | entwirf: draft propose | entwurf: draft | ergebnis: result | erinner: remind
erklär: explain | erstatt: refund | erstell: create | erwähn: mention | falsch: wrong | fass: summarise
fehler: error bug | fehlgeschlag: fail | feiertag: holiday | find: find search | firma: company | flug: flight
frag: ask question | frei: free | freigab: release approval | freigegeben: release | funktion: function
funktioniert: work | füg: add | füge: add | gebühr: fee | gehör: belong | gerät: device | gesamt: total
geschichte: history | gesperrt: blocked | gestern: yesterday | geänder: change | grund: reason
guthaben: credit balance | gutschein: voucher coupon | gutschrift: credit | heut: today | hinzufüg: add
historie: history | höhe: amount | inhalt: content | jahr: year | kalender: calendar | kaputt: broken damaged
kategorie: category | kauf: purchase buy | kommentar: comment | konfiguration: configuration config
kontakt: contact | konto: account | kost: cost price | kunde: customer | kündig: cancel
lager: stock warehouse inventory | langsam: slow | latenz: latency | lauf: run | laufend: running | leg: create
lege: create | les: read | letzt: last latest | liefer: delivery shipment deliver | lieferung: shipment delivery
lies: read | list: list | liste: list | lizenz: license | läuft: run | lös: resolve solve | lösch: delete remove
mahn: reminder | mail: mail email | meld: report message | meldung: message | meng: quantity amount | merk: note
miet: rent | mitarbeiter: employee staff | mitglied: member | mittel: mean average | monat: month | morgen: tomorrow
nachricht: message | nenn: name | neustart: restart | notiz: note | nummer: number | nutzer: user | offen: open
ordner: folder directory | ort: place location | paket: package parcel | passwort: password | person: person
pfad: path | plan: plan schedule | platz: place seat | plän: plan schedule | preis: price | priorität: priority
problem: problem issue | produkt: product | programm: program | projekt: project | protokoll: log
prüf: check inspect | quelltext: source code | quote: rate share | rabatt: discount | raum: room | rechnung: invoice
reparier: fix repair | reservier: reserve book | rückerstatt: refund | rückgab: return | rückgängig: undo revert
sammel: collect | schalt: switch | schick: send | schlag: propose | schließ: close | schlüssel: key
schnittstelle: interface api signature | schreib: write | schätz: estimate | seite: page | send: send | setz: set
sicher: safe security backup | sicherheitslück: security vulnerability | sitzung: session meeting
sperr: block lock | spitz: peak | sprach: language | stand: status state | start: start | starte: start
stell: set place | stellen: position place | stopp: stop | storn: cancel | straß: street | stund: hour
störung: outage incident | such: search find | summ: sum total | symbol: symbol | tabell: table | tag: day
teil: part | teilnehmer: participant attendee | termin: appointment event meeting | test: test | teste: test
text: text | titel: title | trag: enter record | träg: enter record | umbenenn: rename | umgezog: move address
umsatz: revenue sales | umzug: move address | unterschied: difference compare | untersuch: inspect investigate
urheber: author | urlaub: leave vacation | ursach: cause | verantwortlich: owner responsible | verbesser: improve
verfügbar: available | vergleich: compare | verkauf: sale | verlangsam: slow | verlauf: history | verlier: lose
verlink: link | verlänger: extend | versand: shipping shipment | verschick: send | verschieb: move reschedule
version: version | versteh: understand | verteil: distribute | vertrag: contract | verwend: use
verzeichnis: directory folder | veränder: change modify | veröffentlich: release publish | vorfall: incident
vorlag: template | vorschlag: proposal propose | vorschlagen: propose | warnung: warning alert | wart: wait
wechsel: change | weis: assign | werkzeug: tool | wert: value | wetter: weather | wieder: again
wiederherstell: restore | woch: week | wähl: choose select | zahl: number pay | zahlung: payment
zahlungsart: payment method | zeichen: character | zeig: show | zeile: line | zeit: time | zeitplan: schedule
zeitraum: period span | zeitüberschreitung: timeout | zug: train | zugeteilt: assigned | zuletzt: last recent latest
zurück: back return | zurücksetz: reset | zusammenfass: summary summarise | zustand: status state
zustell: delivery | zuständig: owner assignee | zuweis: assign | zähl: count | änder: change update | ändert: change
öffn: open | überprüf: check verify | übersetz: translate | übersicht: overview summary | überweis: transfer
"""

ENGLISH_OF: dict[str, str] = {
    head.strip(): meaning.strip()
    for line in _TABLE.strip().splitlines()
    for head, _, meaning in (entry.partition(":") for entry in line.split("|"))
}
