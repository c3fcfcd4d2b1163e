import type { PresetError } from './preset-error.ts';

/** A composition: `include[index]` of a preset includes the preset `name`. */
export interface Composition {
  readonly name: string;
  readonly index: number;
}

/** The compositions of each configured preset, by its name. */
export type Compositions = ReadonlyMap<string, readonly Composition[]>;

type Report = (error: PresetError) => void;

const positionOf = (preset: string, index: number) =>
  ({ preset, list: 'include', index, path: [preset, 'include', index, 'preset'] }) as const;

/** Reports every composition of an unknown preset. @spec §7.3 */
export const reportUnknownPresets = (
  compositions: Compositions,
  known: readonly string[],
  report: Report,
): void => {
  const names = new Set(known);
  for (const [preset, composed] of compositions)
    for (const { name, index } of composed)
      if (!names.has(name))
        report({ code: 'rule.unknown-preset', name, known, ...positionOf(preset, index) });
};

interface Frame {
  readonly preset: string;
  /** Number of the preset's compositions that have been followed. */
  followed: number;
}

/** Returns the frames of a cycle from its first preset on; the rule that closes the cycle is reported. */
const reportCycle = (
  frames: readonly Frame[],
  compositions: Compositions,
  report: Report,
): void => {
  const [first] = frames;
  if (first === undefined) return;
  const index = compositions.get(first.preset)?.[first.followed - 1]?.index ?? 0;
  const cycle = [...frames.map(({ preset }) => preset), first.preset];
  report({ code: 'rule.cycle', cycle, ...positionOf(first.preset, index) });
};

/** Follows one preset's compositions depth first, without recursion: a configuration may nest as deep as it likes. */
const followFrom = (
  root: string,
  compositions: Compositions,
  { closed, report }: { readonly closed: Set<string>; readonly report: Report },
): void => {
  const frames: Frame[] = [{ preset: root, followed: 0 }];
  const open = new Map([[root, 0]]);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const next = compositions.get(frame.preset)?.[frame.followed]?.name;
    frame.followed += 1;
    if (next === undefined) {
      closed.add(frame.preset);
      open.delete(frame.preset);
      frames.pop();
    } else if (open.has(next)) {
      reportCycle(frames.slice(open.get(next)), compositions, report);
    } else if (!closed.has(next)) {
      open.set(next, frames.length);
      frames.push({ preset: next, followed: 0 });
    }
  }
};

/** Reports each composition that closes a cycle, at the rule with which the cycle begins. @spec §7.3 */
export const reportCycles = (compositions: Compositions, report: Report): void => {
  const closed = new Set<string>();
  for (const root of compositions.keys())
    if (!closed.has(root)) followFrom(root, compositions, { closed, report });
};

/** The given presets and all that compose them, directly or through others. */
export const withComposing = (
  presets: Iterable<string>,
  compositions: Compositions,
): ReadonlySet<string> => {
  const composers = new Map<string, string[]>();
  for (const [preset, composed] of compositions)
    for (const { name } of composed) {
      const known = composers.get(name);
      if (known === undefined) composers.set(name, [preset]);
      else known.push(preset);
    }
  const reached = new Set(presets);
  for (const preset of reached)
    for (const composer of composers.get(preset) ?? []) reached.add(composer);
  return reached;
};
