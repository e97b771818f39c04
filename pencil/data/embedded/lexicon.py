"""The words of the embedded reviews, by the slot that they fill. Each list starts with the most frequent words.

Each entry is a single word, so that the distance of a negation can be counted on the template.
"""

MILD = {  # label: words that may be negated
    1: (
        "good great fine lovely exciting funny clever moving gripping lively warm honest fresh charming witty pleasant sharp bold brisk tender "
        "bright rich"
    ),
    0: "bad boring dull poor slow weak tedious silly flat sad tired clumsy cold stale ugly empty bland messy lame noisy shallow hollow",
}
STRONG = {  # label: words that are never negated
    1: (
        "wonderful brilliant superb excellent thrilling dazzling marvellous perfect splendid magnificent delightful radiant sublime unforgettable "
        "flawless"
    ),
    0: "awful terrible horrible dreadful lifeless hopeless worthless pathetic dismal wretched appalling unbearable ghastly insufferable abysmal",
}
PACE = {  # label: verbs for how time passes
    1: "exciting gripping thrilling lively brisk dazzling",
    0: "boring dull slow tedious flat lifeless",
}
FELT = {
    1: "loved enjoyed liked admired adored treasured",
    0: "hated disliked loathed regretted despised resented",
}
ASPECT = (
    "film movie story acting plot music ending script cast dialogue pace direction picture camera sound humour middle beginning song "
    "climax photography editing lighting prologue mystery romance chase fight duel dance speech joke costume scenery tempo finale voice"
)
FILM = "film movie story picture comedy drama thriller western musical romance sequel fable farce remake satire tragedy documentary"
VERY = "very so really quite truly rather simply deeply remarkably astonishingly"
ROYAL = {
    "he": "king",
    "she": "queen",
}
NOBLE = {
    "he": "prince duke baron earl count",
    "she": "princess duchess baroness marchioness countess",
}
PERSON = {
    "he": "man father boy brother son uncle husband grandfather nephew gentleman widower bridegroom",
    "she": "woman mother girl sister daughter aunt wife grandmother niece lady widow bride",
}
KIN = (
    "friend brother sister mother father neighbour cousin uncle aunt wife husband son daughter teacher colleague grandmother boss nephew niece "
    "landlady"
)
NAME = (
    "Nolan Marsh Ortega Lindqvist Baker Okafor Tanaka Rossi Novak Silva Kaya Hansen Dubois Moreau Keller Walsh Petrov Haddad Mensah Costa Larsen "
    "Vance Bianchi Sato Kowalski Farrell Ibarra Jansen Quinn Adeyemi Brandt Castellan Dvorak Eriksen Falk Greco Holm Ivanova Jokinen Kruse "
    "Lombard Mbeki Nagy Oduya Pereira Quispe Ruiz Sorensen Takeda Ulrich Varga Weiss Xavier Yilmaz Zeman Abbott Barlow Crane Dalton Ellery Finch "
    "Garland Hollis Ingram Jarvis Kendrick Lowell Mercer Norwood Osborne Pritchard Ramsey Sterling Thorne Underhill Vaughn Whitlock Yardley "
    "Zimmer Ashdown Blackwood Carrow Driscoll Aldous Amsel Ballard Beaumont Bexley Birch Bogart Brannigan Calloway Chandler Colville Corrigan "
    "Dempsey Devlin Duvall Elwood Everard Fairfax Fenwick Fontaine Galloway Garrick Gould Greer Halloran Harcourt Haskell Hawthorne Idris Jessop "
    "Kearney Kimura Lachance Langford Larkin Lindgren Lockhart Maddox Malloy Marlowe Montague Nakamura Nesbit Odell Palmer Pemberton Pike "
    "Prescott Radcliffe Rafferty Redmond Rosewall Sable Sheridan Sinclair Stanhope Sutcliffe Tanner Thackeray Tilden Trevor Usher Vasquez Voss "
    "Wakefield Wexford Winslow Wyndham Yates Zola"
)
CITY = (
    "London Paris Lisbon Rome Vienna Oslo Prague Dublin Madrid Berlin Athens Warsaw Cairo Lima Tokyo Boston Naples Geneva Porto Seville Bergen "
    "Krakow Zagreb Riga Tallinn Helsinki Bruges Ghent Lyon Nice Turin Trieste Valencia Bilbao Cork Leeds Bristol Cardiff Dundee Havana Quito Bogota "
    "Santiago Montreal Nairobi Accra Dakar Tunis Beirut Izmir Tbilisi Yerevan Samarkand Kyoto Osaka Manila Hanoi Perth Hobart Reykjavik Ljubljana "
    "Salzburg Utrecht"
)
TRADE = (
    "soldier doctor baker sailor teacher thief farmer painter lawyer singer writer nurse driver cook tailor priest spy pilot judge butcher gardener "
    "fisherman carpenter waiter dancer barber miller shepherd clerk captain detective plumber banker poet juggler locksmith porter printer saddler "
    "weaver cobbler chemist librarian magician surgeon jeweller optician blacksmith beekeeper astronomer bookbinder brewer candlemaker cartographer "
    "clockmaker cooper falconer ferryman florist glassblower goldsmith grocer harpist lamplighter mason midwife notary organist pedlar piper potter "
    "quarryman ranger roofer sculptor signalman smuggler stonecutter tanner thatcher tinker treasurer umpire ventriloquist violinist watchman "
    "wheelwright woodcutter"
)
ANIMAL = (
    "cat dog horse bird mouse fox goat donkey parrot rabbit sheep cow hen duck goose wolf bear owl crow monkey lion tiger camel otter badger "
    "hedgehog squirrel heron falcon pigeon swan lizard tortoise salmon beetle spider moth hamster ferret weasel stoat puffin walrus lynx marten "
    "ibex raven sparrow"
)
THING = (
    "table letter mat chair book lamp key coat hat door window clock mirror suitcase knife bottle ring map piano violin ladder basket candle box "
    "blanket bell umbrella telephone camera newspaper photograph painting statue necklace glove boot scarf ticket diary wallet bucket hammer kettle "
    "teapot saucepan spoon fork plate cup jug vase carpet curtain pillow mattress drawer cupboard wardrobe shelf stool bench desk sofa armchair "
    "cradle broom brush comb razor soap towel sponge needle thread button zip buckle belt ribbon locket brooch bracelet earring medal coin purse "
    "stamp envelope pencil inkwell quill notebook ledger calendar compass telescope magnet barometer thermometer lantern torch match bonfire "
    "chimney stove anvil chisel saw drill spanner pulley rope anchor oar rudder sail raft canoe trunk crate barrel sack wheelbarrow shovel rake "
    "scythe sickle plough saddle bridle harness whip spur helmet shield sword dagger arrow banner drum trumpet flute harp cello accordion harmonica "
    "gramophone typewriter microscope hourglass sundial"
)
FOOD = (
    "popcorn bread cheese soup cake apples sandwiches chocolate noodles rice fish peanuts pancakes pears plums cherries grapes olives almonds "
    "pickles sausages dumplings waffles biscuits liquorice toffee marzipan porridge herring mussels chestnuts radishes turnips figs dates apricots "
    "gingerbread"
)
DRINK = "tea coffee wine water beer lemonade cider milk cocoa punch sherry buttermilk"
PLACE = (
    "house street park station garden forest kitchen church harbour market hotel library castle cellar attic bridge school hospital theatre museum "
    "village tower prison factory farm beach island valley mountain river lake field barn mill tavern bakery chapel cathedral courtyard corridor "
    "staircase balcony terrace orchard vineyard meadow marsh quarry tunnel lighthouse windmill warehouse workshop shipyard dock pier canal desert "
    "glacier cave crypt graveyard monastery convent abbey palace embassy casino ballroom gymnasium observatory greenhouse stable kennel dairy "
    "laundry pharmacy bank arcade"
)
VEHICLE = "train bus car tram boat bicycle taxi ferry lorry carriage motorcycle sleigh balloon tractor wagon"
LOOK = (
    "old little red young small long black white green blue quiet wet cold heavy narrow broken wooden dusty yellow golden silver grey brown tall "
    "round square crooked rusty muddy foggy empty locked painted polished folded torn frozen hidden forgotten borrowed stolen foreign northern "
    "southern eastern western local modern medieval ancient portable striped spotted velvet leather copper marble granite bronze woollen silken "
    "paper iron glass straw lopsided enormous tiny gigantic oval hexagonal transparent crimson purple violet turquoise scarlet"
)
DAY = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
MONTH = "May June March April October November January February July August September December"
NUMBER = "two three four five six seven ten twelve twenty thirty forty fifty sixty eighty ninety"
WEATHER = "rain wind snow fog thunder hail frost sunshine drizzle mist"
DID = (
    "found opened took carried painted watched followed stole hid broke sold bought lost moved lifted closed counted cleaned mended burned wrapped "
    "dropped threw caught buried touched studied measured weighed polished guarded borrowed returned repaired folded emptied filled knocked chased "
    "pushed pulled dragged rolled sketched photographed described examined inspected labelled numbered pawned auctioned rescued delivered misplaced "
    "unwrapped unlocked shattered sharpened smuggled traded swapped collected recognised remembered noticed admitted ignored"
)
MOVED = (
    "walked ran waited slept stood turned crept climbed jumped fell danced swam marched hurried wandered limped crawled leapt galloped trotted "
    "strolled stumbled hobbled tiptoed paraded drifted raced hopped circled lingered dozed shivered trembled sneezed whistled hummed"
)
HOW = (
    "slowly quietly again twice alone quickly carefully suddenly silently gently often secretly politely nervously patiently calmly proudly gladly "
    "reluctantly eagerly solemnly stubbornly absently hastily discreetly cautiously obediently"
)
