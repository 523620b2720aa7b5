/**
 * The words by which people find an icon, such as "like" for a heart. They come from the search words of the
 * icon sets Lucide (ISC), Material Design Icons (Apache-2.0), Tabler and Phosphor (both MIT). The script
 * `write-icon-meanings.ts` of the bench of dialogues writes the table.
 */
const TABLE = `
alarm: bell clock siren
alien: space ufo
ambulance: emergency medical rescue vehicle
ampersand: and typography
anchor: link nautical
angle: arc corner degrees geometry math measure measurement protractor
antenna: signal transmission
aperture: photo pictures shutter
archive: archived backup box records
armchair: furniture seat
asterisk: required symbol wildcard
at: address arobase
atom: atomic chemistry electron molecule nuclear physics react
avocado: diet fruit guacamole healthy vegan
axe: chop forestry hatchet lumberjack
baby: child children
backpack: bag hiking knapsack school travel
backspace: clear erase
balloon: birthday decoration festival helium party
bandage: injury plaster wound
barcode: product scan upc
barrel: keg wine
basket: checkout shopping
battery: charge
bed: hotel sleep
beer: alcohol bar barrel brewery drink pint pub
bell: alarm notification notifications reminder
bike: bicycle cycling transport
binary: one programming zero
binoculars: explore find search sightseeing
biohazard: contamination danger toxic
bird: feather
blender: mixer smoothie
bluetooth: connection wireless
bomb: explosion explosive grenade mine
bone: skeleton
book: library novel reading story study
bookmark: marker pin tag
brackets: array code list parentheses
brain: mental mind smart
bridge: transportation travel
briefcase: baggage portfolio suitcase work
broadcast: antenna radio signal
broom: cleaning sweeping
brush: draw paintbrush
bug: beetle debug defect error insect issue problem spider
building: company
bus: transportation vehicle
butterfly: moth
cactus: cacti desert
cake: birthday celebration dessert sweet
calculator: arithmetic
calendar: date event month
camera: aperture focus image lens photo photography video webcam
campfire: bonfire
candy: chocolate lollipop sugar sweet treat
cannabis: marijuana weed
car: automobile drive vehicle
caravan: holiday trailer
cards: club columns diamond spade
carrot: food healthy orange root vegetable veggie
cast: airplay display stream
cat: animal animals feline kitten kitty pet
certificate: badge credential diploma license seal
chart: analytics analyze diagram graph report statistics
check: checkbox complete done success task tick todo
cheese: dairy
circle: record round shape shapes
clipboard: checklist copy paste
clock: alarm midnight noon schedule time watch
cloud: cloudy overcast serverless weather
clover: irish luck lucky
code: binary braces brackets html parentheses programming regex source variable xml
coffee: beverage cafe cup espresso latte mug tea
coins: change currency finance money
columns: half list sidebar split thirds typography
command: apple cmd keyboard mac modifier shortcut
compass: explore navigation north safari
cookie: bakery biscuit consent dessert privacy snack sweet
copy: clipboard clone duplicate folders
copyleft: symbol
copyright: license symbol
cpu: chip circuit computer processor
crane: industry
cricket: ball bat
crop: image photo
cross: christianity crucifix
crosshair: aim
crown: king leader queen royalty ruler winner
cube: box
cylinder: shape tube
database: servers storage
desk: workspace
devices: cellphone monitor responsive tablet
diamond: gem rectangle rhombus
dice: die game random
disc: album dvd record vinyl
divide: arithmetic calculator division math mathematics operator slash
dna: gene genetics helix
dog: animal bone canine pet puppy
door: entrance
download: import
drone: aerial flying quadcopter uav
dumbbell: barbell gym weight workout
ear: audio hearing sound
egg: breakfast chicken easter hatch
elevator: lift
engine: car motor repair vehicle
equal: math operator
eraser: clear undo
eye: preview see show view visibility visible vision
factory: industry manufacture
feather: bird lightweight plume quill
fence: garden property
file: document draft page paper paperclip sheet upload
files: documents multiple
fish: marine sea seafood
flag: banner country goal milestone report
flame: burn burning campfire fire heat lighter lit
flashlight: torch
flask: beaker chemistry experiment
flower: nature spring
folder: directory
folders: copy directories
forklift: industrial logistics vehicle warehouse
function: lambda
gauge: dashboard dial measure meter performance speed speedometer
gavel: court hammer judge justice law legal
ghost: halloween haunted phantom scary spirit spooky
gift: birthday present
globe: earth geography global language planet world
graph: chart
hamburger: burger menu
hammer: build construction diy gavel
handshake: agreement business deal partnership
hash: hashtag number octothorpe pound symbol
headphones: audio headset music sound
headset: audio gaming headphones microphone
heart: emotion favourite like love
helicopter: aircraft aviation transport
hexagon: shape
horse: equestrian
hospital: building clinic doctor healthcare medical
hourglass: time
image: crop panorama photo wallpaper
inbox: tray
infinity: forever loop math unlimited
info: about details help information notice tooltip
invoice: bill receipt
key: authentication login unlock
keyboard: command input keys option type typing
ladder: stairs steps
lambda: function greek math serverless symbol
lamp: furniture light lighting
laptop: computer
lasso: cowboy rope select
leaf: green nature organic
lectern: podium pulpit stand
library: book books collection knowledge
lifebuoy: help lifesaver support
lightbulb: bulb idea
lighthouse: beacon nautical navigation
link: anchor chain hyperlink url
list: checklist columns rows
lock: encryption locked padlock password private protected secure security
magnet: snap
mail: email envelope letter
mailbox: letters post
map: location navigation pin travel
medal: award rosette winner
memory: chip microchip ram
menu: bars navigation options
message: chat comment conversation feedback
metronome: beat bpm music rhythm tempo timing
microphone: mic podcast recording sound
microscope: biology experiment magnify research science
microwave: oven
minus: divider horizontal line minimize negative remove subtract
monitor: devices screen
moon: dark evening night sleep
moped: scooter vespa
mosque: building islam masjid muslim prayer religion worship
motorbike: motorcycle ride transport vehicle
mouse: click cursor device pointer
navigation: compass gps lighthouse location map menu travel
needle: injection sewing syringe tailor
network: internet lan
newspaper: article
nfc: contactless
note: paper
notebook: diary journal notepad notes planner study
nut: acorn bolt hexagon
octagon: shape stop
omega: greek ohm symbol
option: alt keyboard mac modifier
orbit: planet satellite space
package: box container delivery
palette: art color colors paint theme
paperclip: attachment
parachute: skydiving
pause: stop
pen: ink writing
pencil: change create draw edit sketch write
pentagon: shape
pentagram: magic
percent: discount percentage sale
phone: call telephone
pi: symbol
piano: instrument keys play
pill: capsule drug medication medicine pharmacy prescription tablet
pin: bookmark keep map
pizza: food
play: piano start
plug: charger connection electricity outlet socket usb
plus: add increase new positive
podium: lectern stage
popcorn: movies
power: battery off restart shutdown switch toggle
prescription: pharmacist
presentation: meeting screen whiteboard
printer: device fax office printing
puzzle: extension jigsaw piece
pyramid: hierarchy
rabbit: animal bunny fast hare
radar: locate sonar
radio: broadcast receiver
radioactive: atomic danger radiation
rainbow: arc colors pride
receipt: bill invoice
rectangle: diamond square
recycle: recycling sustainability
repeat: loop replay repost
resize: maximize
road: highway street traffic
robot: bot
rocket: boost launch release space spaceship
rss: blog feed news podcast subscribe syndication
ruler: dimensions length measure scale size width
sailboat: sailing ship
satellite: orbit
scale: balance ruler weight
scan: barcode capture focus radar scanner viewfinder
school: backpack chalkboard college education exam graduation learning student university
scissors: cut snip
scooter: moped ride transport vehicle
send: submit
server: cloud
share: export forward network
shield: antivirus defense protection security
shovel: dig digging gardening
shredder: confidential destroy document
sigma: sum
signature: autograph contract handwriting scribble sign
skull: danger dead death
snail: animal slow
snowflake: cold freeze snow winter
sofa: couch lounge
spade: cards casino shovel spades suit
sparkle: glitter magic star
sphere: ball
spray: aerosol graffiti
square: rectangle shape stop
stairs: escalator ladder staircase steps
star: bookmark favorite pentagram rate rating review sparkle
stethoscope: medical
subtitles: captions
sun: brightness day light sunglasses sunny weather
sword: battle game knight rpg war warrior weapon
table: columns desk excel grid rows sheet spreadsheet
tag: badge bookmark label price sale
target: archery bullseye crosshair
telescope: astronomy explore observe space
tent: camping campsite holiday outdoors tipi
terminal: bash cli console prompt shell
theater: drama stage theatre
thermometer: celsius fahrenheit temperature weather
ticket: concert entry pass voucher
timeline: history
timer: hourglass stopwatch
toilet: bathroom lavatory
toolbox: tools
tornado: hurricane storm twister weather wind
tractor: agriculture farm farmer farming harvest vehicle
train: locomotive railroad
trash: bin delete garbage recycle remove rubbish
tree: park trees
triangle: delta pyramid shape shapes
trophy: achievement champion prize success victory winner
truck: delivery lorry shipping van
umbrella: insurance rain rainy weather
usb: connector device port serial
user: account contact person profile
users: accounts group people team
variable: programming
vault: bank safe
vector: graphics shape
video: camcorder recording
virus: covid disease germ illness infection pathogen
voicemail: recording
wall: bricks firewall
wallet: finance money
wallpaper: background decor image
warehouse: forklift
watch: clock
wave: waveform
waveform: sound wave
webhook: callback
weight: heavy mass scale
wheelchair: accessibility accessible disabled
wifi: connection signal
wind: air tornado weather windy
wrench: build spanner tools
x: clear close multiply times
`;

const MEANINGS: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => {
      const [icon = "", words = ""] = line.split(": ");
      return [icon, words.split(" ")] as const;
    }),
);

/** Returns the words that people use for an icon, without the words of its name. */
export function meaningsOfIcon(name: string): readonly string[] {
  const words: readonly string[] = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  return [...new Set(words.flatMap((word) => MEANINGS.get(word) ?? []))].filter(
    (word) => !words.includes(word),
  );
}
