/**
 * Subjects for the wikis and manuals that the bench generates: an invented valley, and an invented computer
 * program.
 */
import type { Subject } from "./generated-article-content.ts";

const subject = (section: string, title: string, ...sentences: readonly string[]): Subject => ({
  section,
  title,
  sentences,
});

export const valley: readonly Subject[] = [
  subject(
    "Buildings",
    "Velden aqueduct",
    "The Velden aqueduct carried water over eleven kilometres from the springs at Horn.",
    "It was built between 1431 and 1440 by masons from the south.",
    "Forty of its arches still stand, the highest measuring nineteen metres.",
    "Since 1962 the aqueduct is a listed monument.",
  ),
  subject(
    "Buildings",
    "Harl mill",
    "Harl mill is a water mill on the lower Ister with two wheels.",
    "Flour was ground there until 1953, later it served as a sawmill.",
    "A society of friends restored the gears in 1988.",
  ),
  subject(
    "Buildings",
    "Old customs house",
    "The old customs house stands at the northern gate of Velden.",
    "Salt and cloth were weighed in its vaulted hall.",
    "Today it houses the archive of the valley.",
  ),
  subject(
    "Buildings",
    "Lantern tower",
    "The lantern tower was the watch tower of the fire guard.",
    "Its keeper had to ring the bell each quarter of an hour at night.",
  ),
  subject(
    "Nature",
    "Ister river",
    "The Ister river rises below the Karn glacier and is 74 kilometres long.",
    "Its floods of 1784 and 1910 destroyed most bridges.",
    "Grayling and trout are common in the upper reaches.",
  ),
  subject(
    "Nature",
    "Karn glacier",
    "The Karn glacier lost half of its area since 1900.",
    "Measurements are taken each September at six stakes.",
    "A cave below its tongue is closed since an accident.",
  ),
  subject(
    "Nature",
    "Blue gentian",
    "The blue gentian is the emblem of the valley.",
    "It flowers from June to August on lime meadows.",
    "Digging up its roots was forbidden in 1921.",
  ),
  subject(
    "Nature",
    "Wolf's moor",
    "Wolf's moor is a raised bog between Harl and Velden.",
    "Peat was cut there until the nature reserve was founded in 1975.",
    "Nineteen kinds of dragonflies were counted.",
  ),
  subject(
    "Customs",
    "Night of the bells",
    "On the night of the bells all villages ring from midnight to one.",
    "The custom goes back to a plague in the seventeenth century.",
  ),
  subject(
    "Customs",
    "Cheese market",
    "The cheese market is held on the first Saturday of October.",
    "Wheels of more than twenty kilos compete for the golden knife.",
    "The market of 1944 was the only one that did not take place.",
  ),
  subject(
    "Customs",
    "Ister boat race",
    "Teams of six row from Harl to Velden in wooden barges.",
    "The record of 41 minutes was set in 2003.",
  ),
  subject(
    "People",
    "Anna Tessmer",
    "Anna Tessmer was a painter and teacher, born in Harl in 1869.",
    "Her views of the glacier are the earliest in colour.",
    "She left her house to the village.",
  ),
];

export const valleyQuestions = [
  ["When was the Velden aqueduct built?", "Velden aqueduct"],
  ["Tell me about the Karn glacier", "Karn glacier"],
  ["Information on the cheese market", "Cheese market"],
  ["Who was Anna Tessmer?", "Anna Tessmer"],
] as const;

export const program: readonly Subject[] = [
  subject(
    "Guide",
    "Install",
    "Install Tarn with the package manager of your system or from the archive.",
    "The archive contains one binary and a folder with example pipelines.",
    "Verify the signature before you unpack it.",
  ),
  subject(
    "Guide",
    "First pipeline",
    "A pipeline is a file with stages that run one after another.",
    "Start it with the command tarn run and watch the log.",
    "Each stage has an image, a script and a list of artefacts.",
  ),
  subject(
    "Guide",
    "Cache artefacts",
    "Artefacts are cached between runs when their key did not change.",
    "The cache is shared by all runners of one group.",
    "Set the size of the cache with cache.limit, ten gigabytes by default.",
  ),
  subject(
    "Guide",
    "Secrets",
    "Secrets are sealed with the public key of the server.",
    "They are masked in logs, and unset for pipelines of forks.",
    "Rotate a secret with tarn secret rotate.",
  ),
  subject(
    "Administration",
    "TLS certificates",
    "Tarn reads certificates in PEM format from the folder tls.",
    "Renewed certificates are loaded without a restart.",
    "For client certificates set tls.verify to required.",
  ),
  subject(
    "Administration",
    "Backup and restore",
    "A backup holds the database, the queue and the sealed secrets.",
    "Restore it on an empty server of the same or a later version.",
    "Logs of runs are not part of a backup.",
  ),
  subject(
    "Administration",
    "Runners",
    "A runner asks the server for work and needs no open port.",
    "Runners of one group share labels and the cache.",
    "Give a runner at most two runs at once on a small machine.",
  ),
  subject(
    "Administration",
    "Upgrade",
    "Upgrade the server first and the runners after it.",
    "The schema of the database is migrated at the first start.",
    "A downgrade needs a backup from before.",
  ),
  subject(
    "Reference",
    "Configuration file",
    "The configuration file is called tarn.toml.",
    "Unknown keys are errors, so that misspelt ones are found.",
    "Environment variables override the file.",
  ),
  subject(
    "Reference",
    "Command line",
    "All commands print JSON when they are called with --json.",
    "Exit code 3 means that the server could not be reached.",
  ),
  subject(
    "Reference",
    "Webhooks",
    "Webhooks are signed with HMAC and a time stamp.",
    "A delivery that fails is repeated for three days.",
    "The payload of an event is at most one megabyte.",
  ),
  subject(
    "Reference",
    "Rate limits",
    "Each token may call the interface 600 times a minute.",
    "The header Retry-After names the seconds to wait.",
  ),
];

export const programQuestions = [
  ["How do I configure TLS certificates?", "TLS certificates"],
  ["How does the cache of artefacts work?", "Cache artefacts"],
  ["Documentation on webhooks", "Webhooks"],
  ["How to upgrade the server", "Upgrade"],
] as const;
