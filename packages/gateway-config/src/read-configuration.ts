import { MAX_ISSUES, problemText } from '@gateway/crd-schemas';
import { parsePresets, presetErrorText, type PresetSet } from '@gateway/preset-resolver';
import type { ConfigDocument, ResourceProblem } from '@gateway/resource-store';
import { parseConfig, type GatewayConfig } from './parse-config.ts';
import { GATEWAY_VERSION } from './version.ts';

/** The parsed `config.yaml`, or its first 20 problems with their positions in the file. */
export type Configuration =
  | { readonly ok: true; readonly config: GatewayConfig; readonly presets: PresetSet }
  | { readonly ok: false; readonly problems: readonly ResourceProblem[] };

/**
 * Parses the document of `config.yaml`. Without a document every key has its default.
 *
 * @spec §2.2, §7.3
 */
export function readConfiguration(document: ConfigDocument | undefined): Configuration {
  const parsed = parseConfig(document?.value, process.env);
  const value = document?.value;
  const presets = parsePresets(presetsOf(value), { gatewayVersion: GATEWAY_VERSION });
  if (parsed.ok && presets.ok) return { ok: true, config: parsed.config, presets: presets.presets };
  const place = (path: readonly (string | number)[], message: string): ResourceProblem => ({
    source: document?.source ?? 'config.yaml',
    kind: 'Configuration',
    ...document?.locate(path),
    message: problemText(message),
  });
  return {
    ok: false,
    problems: sortByPosition([
      ...(parsed.ok ? [] : parsed.issues.map(({ path, message }) => place(path, message))),
      ...(presets.ok
        ? []
        : presets.errors.map((error) =>
            place(['toolsetPresets', ...error.path], presetErrorText(error)),
          )),
    ]).slice(0, MAX_ISSUES),
  };
}

/** Sorts problems by position; problems without a position come first. */
function sortByPosition(problems: readonly ResourceProblem[]): readonly ResourceProblem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function presetsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, 'toolsetPresets')
    ? (value as Record<string, unknown>)['toolsetPresets']
    : undefined;
}
