import { buildRules } from './build-rules.ts';
import { parseDockerfile } from './dockerfile.ts';
import { finalRules } from './final-rules.ts';
import { imageOf, type ImageFacts } from './image-rule.ts';

/** Every rule of images, by its sentence. */
export const imageRules = { ...buildRules, ...finalRules } as const;

/** The sentence of a rule. */
export type ImageRuleName = keyof typeof imageRules;

/** What is wrong with an image, as `<rule> <problem>`; only the named rules are asked. */
export function imageProblems(
  dockerfile: string,
  facts: ImageFacts,
  rules: readonly ImageRuleName[] = Object.keys(imageRules) as ImageRuleName[],
): readonly string[] {
  const image = imageOf(parseDockerfile(dockerfile));
  return rules.flatMap((name) =>
    imageRules[name](image, facts).map((problem) => `${name} ${problem}`),
  );
}

/** The rules that hold for an image that adds something to one of ours: the rest it inherits. */
export const derivedImageRules = Object.keys(buildRules) as readonly ImageRuleName[];
