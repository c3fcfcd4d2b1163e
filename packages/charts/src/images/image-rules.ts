import { buildRules } from './build-rules.ts';
import { parseDockerfile } from './dockerfile.ts';
import { finalRules } from './final-rules.ts';
import { imageOf, type ImageFacts } from './image-rule.ts';

/** All rules for images, by their sentence. */
export const imageRules = { ...buildRules, ...finalRules } as const;

/** The sentence of a rule. */
export type ImageRuleName = keyof typeof imageRules;

/** Returns the problems of an image as `<rule> <problem>`, for the named rules only. */
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

/** Rules for an image that derives from one of ours; it inherits the rest. */
export const derivedImageRules = Object.keys(buildRules) as readonly ImageRuleName[];
