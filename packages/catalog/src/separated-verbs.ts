import { expansionsOf, translationsOf, type QueryReading } from './query-reading.ts';

const PARTICLES: ReadonlySet<string> = new Set(
  'up down out off away back over together'.split(' '),
);

/** The most words between an English verb and its particle. */
const MAX_BETWEEN = 4;

const PREFIXES: ReadonlySet<string> = new Set(
  'ab an auf aus ein her heraus herunter hinzu hoch nach um unter vor weg zu zuruck zusammen'.split(
    ' ',
  ),
);

/** The number of words between a verb and the particle with which it is a phrase of queries; 0 when there is none. */
function distanceToParticle(words: readonly string[], at: number, reading: QueryReading): number {
  const verb = words[at] ?? '';
  for (let between = 1; between <= MAX_BETWEEN; between += 1) {
    const particle = words[at + between + 1];
    if (particle === undefined) return 0;
    if (PARTICLES.has(particle) && expansionsOf([verb, particle], reading).length > 0)
      return between;
  }
  return 0;
}

/** Puts the particles of English verbs after their verbs: `jot it down` becomes `jot down it`. */
function withParticles(words: readonly string[], reading: QueryReading): readonly string[] {
  const rest = [...words];
  for (let at = 0; at < rest.length; at += 1) {
    const between = distanceToParticle(rest, at, reading);
    if (between > 0) rest.splice(at + 1, 0, ...rest.splice(at + between + 1, 1));
  }
  return rest;
}

/** Puts the prefix at the end of a German query before its verb: `lade es herunter` becomes `herunterlade es`. */
function withPrefix(words: readonly string[], reading: QueryReading): readonly string[] {
  const prefix = words.at(-1) ?? '';
  if (!PREFIXES.has(prefix)) return words;
  const isVerb = (word: string): boolean =>
    translationsOf([prefix + word], reading).some(({ relation }) => relation === 'de');
  const at = words.findIndex(isVerb);
  return at === -1 ? words : words.slice(0, -1).with(at, `${prefix}${words[at] ?? ''}`);
}

/** Returns the words of a query with the parts of its separated verbs together. */
export const withWholeVerbs = (
  words: readonly string[],
  reading: QueryReading,
): readonly string[] => withPrefix(withParticles(words, reading), reading);
