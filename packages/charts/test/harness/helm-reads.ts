import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render } from '../../src/render.ts';

/** Base64, so that YAML does not change the text again. */
const READ = `{{- $read := list -}}
{{- range $path, $_ := .Files.Glob "documents/*.yaml" -}}
{{- $read = append $read ($.Files.Get $path | fromYaml) -}}
{{- end -}}
read: {{ $read | toJson | b64enc }}
`;

/** Returns the documents as Helm reads them, in order, in one run. */
export async function helmReads(documents: readonly string[]): Promise<readonly unknown[]> {
  const folder = (await mkdtemp(join(tmpdir(), 'helm-reads-'))) as `/${string}`;
  try {
    await writeFile(join(folder, 'Chart.yaml'), '{apiVersion: v2, name: read, version: 0.0.0}');
    for (const name of ['templates', 'documents']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'templates/read.yaml'), READ);
    const place = (at: number): string => at.toString().padStart(5, '0');
    await Promise.all(
      documents.map((text, at) => writeFile(join(folder, `documents/${place(at)}.yaml`), text)),
    );
    const rendered = await render(folder);
    if (!rendered.ok) throw new Error(rendered.error);
    const [{ read }] = rendered.objects as unknown as readonly [{ readonly read: string }];
    return JSON.parse(Buffer.from(read, 'base64').toString()) as readonly unknown[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
