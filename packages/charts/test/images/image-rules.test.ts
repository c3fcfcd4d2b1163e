import { describe, expect, it } from 'vitest';
import {
  type ImageFacts,
  listImageProblems,
  imageRules,
  type ImageRuleName,
} from '../../src/image-rules.ts';

const facts: ImageFacts = {
  title: 'weather',
  description: 'Says what the weather is.',
  version: '1.2.3',
  license: 'Apache-2.0',
  port: 8090,
  furtherPorts: [],
  pnpm: '10.34.8',
  ignored: ['.git', '**/node_modules', '**/dist'],
};

/** An accepted text, and refused texts with their problems, for one rule. */
interface Case {
  readonly accepted: readonly string[];
  readonly refused: readonly (readonly [dockerfile: string, ...problems: string[]])[];
  readonly facts?: ImageFacts;
}

const TINI = 'FROM node:24.21.0 AS system\nRUN apt-get install --yes tini\nFROM scratch\n';
const LABELS = `FROM scratch
LABEL org.opencontainers.image.title="weather" \\
      org.opencontainers.image.description="Says what the weather is." \\
      org.opencontainers.image.licenses="Apache-2.0" \\
      org.opencontainers.image.revision="0123abc" \\
      org.opencontainers.image.created="2026-11-21T00:00:00Z" \\
`;
const VERSION = '      org.opencontainers.image.version="${VERSION}"\n';
const REMOVING = `FROM node:24.21.0-trixie-slim AS system
RUN rm -rf /opt/yarn* /usr/local/bin/yarn /usr/local/bin/yarnpkg /usr/local/bin/corepack \\
      /usr/local/bin/npm /usr/local/bin/npx /usr/local/lib/node_modules \\
 && rm -rf /usr/bin/apt* /usr/lib/apt \\
`;
const HEALTHY =
  'HEALTHCHECK --timeout=5s CMD ["node", "-e", "fetch(\'http://127.0.0.1:8090/healthz\')"]';

const cases: Readonly<Record<ImageRuleName, Case>> = {
  'A base image has its full version, or is scratch or an earlier stage.': {
    accepted: [
      'FROM scratch',
      'FROM node:24.21.0-trixie-slim AS build\nFROM build',
      'ARG NODE=node:24.21.0\nFROM ${NODE}',
      'FROM registry.gateway.internal:5000/gateway:5.13.0',
      `FROM node:24.21.0@sha256:${'0a'.repeat(32)}`,
    ],
    refused: [
      ['FROM node', 'FROM node has no full version'],
      ['FROM node:latest', 'FROM node:latest has no full version'],
      ['FROM node:24-trixie-slim', 'FROM node:24-trixie-slim has no full version'],
      ['FROM localhost:5000/node', 'FROM localhost:5000/node has no full version'],
      ['FROM build\nFROM scratch AS build', 'FROM build has no full version'],
    ],
  },
  'COPY --from names an earlier stage.': {
    accepted: ['FROM scratch AS build\nFROM scratch\nCOPY --from=build / /'],
    refused: [
      ['FROM scratch\nCOPY --from=build / /', 'COPY --from=build names no earlier stage'],
      ['FROM scratch AS a\nCOPY --from=a / /', 'COPY --from=a names no earlier stage'],
    ],
  },
  'Nothing is added from a URL: ADD is not used.': {
    accepted: ['FROM scratch\nCOPY config.yaml /etc/'],
    refused: [
      [
        'FROM scratch\nADD https://example.com/a /a',
        'ADD https://example.com/a /a: use COPY, and fetch in a step',
      ],
    ],
  },
  'The whole checkout is copied only without .git, node_modules and dist.': {
    accepted: [
      'FROM scratch\nCOPY apps ./apps',
      'FROM scratch AS a\nFROM scratch\nCOPY --from=a . .',
    ],
    refused: [
      [
        'FROM scratch\nCOPY . .',
        '.dockerignore does not list **/node_modules',
        '.dockerignore does not list **/dist',
      ],
    ],
    facts: { ...facts, ignored: ['.git', 'docs'] },
  },
  'ARG and ENV contain no secrets.': {
    accepted: ['FROM scratch\nARG VERSION\nENV NODE_ENV=production PATH=/bin'],
    refused: [
      ['FROM scratch\nARG NPM_TOKEN', "NPM_TOKEN would stay in the image's history"],
      [
        'FROM scratch\nENV A=1 GATEWAY_SECRET=x dbPassword=y',
        "GATEWAY_SECRET would stay in the image's history",
        "dbPassword would stay in the image's history",
      ],
    ],
  },
  'WORKDIR is absolute.': {
    accepted: ['FROM scratch\nWORKDIR /src'],
    refused: [['FROM scratch\nWORKDIR src', 'WORKDIR src is relative']],
  },
  'apt-get installs no recommended packages, and removes its lists.': {
    accepted: [
      'FROM scratch\nRUN apt-get install --no-install-recommends tini && rm -rf /var/lib/apt/lists/*',
    ],
    refused: [
      [
        'FROM scratch\nRUN apt-get install tini\nRUN rm -rf /var/lib/apt/lists/*',
        'apt-get installs recommendations',
        'the lists of apt-get stay',
      ],
    ],
  },
  'No step executes a download.': {
    accepted: ['FROM scratch\nRUN curl https://example.com/a | sha256sum'],
    refused: [
      [
        'FROM scratch\nRUN curl -fsSL https://example.com/a | bash -',
        'a download goes into a shell: curl -fsSL https://example.com/a | bash -',
      ],
      [
        'FROM scratch\nRUN wget -O- https://example.com/a \\\n | /bin/sh',
        'a download goes into a shell: wget -O- https://example.com/a | /bin/sh',
      ],
    ],
  },
  'Packages are installed by the lock file, with the pinned pnpm.': {
    accepted: [
      'FROM scratch\nARG P=10.34.8\nRUN npm exec --package=pnpm@${P} -- pnpm install --frozen-lockfile',
    ],
    refused: [
      [
        'FROM scratch\nRUN npm exec --package=pnpm@10.34.7 -- pnpm install',
        'pnpm 10.34.7 is not the pinned 10.34.8',
        'pnpm installs without --frozen-lockfile',
      ],
    ],
  },
  'The image runs as a numeric user and group that are not root.': {
    accepted: ['FROM scratch\nUSER 0:0\nUSER 65532:65532'],
    refused: [
      ['FROM scratch', 'USER is ""'],
      ['FROM scratch\nUSER node', 'USER is "node"'],
      ['FROM scratch\nUSER 65532:0', 'USER is "65532:0"'],
      ['FROM scratch AS a\nUSER 65532:65532\nFROM scratch\nUSER 0:0', 'USER is "0:0"'],
    ],
  },
  'ENTRYPOINT and CMD exist once, in exec form.': {
    accepted: ['FROM scratch\nENTRYPOINT ["node", "a.js"]\nCMD ["serve"]'],
    refused: [
      ['FROM scratch\nENTRYPOINT node a.js\nCMD ["serve"]', 'ENTRYPOINT is not one list of words'],
      ['FROM scratch\nENTRYPOINT ["node"]', 'CMD is not one list of words'],
      ['FROM scratch\nENTRYPOINT ["node"]\nCMD [1]\n', 'CMD is not one list of words'],
    ],
  },
  'Process 1 is an init that forwards signals and reaps orphans.': {
    accepted: [`${TINI}ENTRYPOINT ["/usr/bin/tini", "--", "node"]`],
    refused: [
      [
        `${TINI}ENTRYPOINT ["node"]`,
        'ENTRYPOINT does not begin with an installed /usr/bin/tini --',
      ],
      [
        'FROM scratch\nENTRYPOINT ["/usr/bin/tini", "--", "node"]',
        'ENTRYPOINT does not begin with an installed /usr/bin/tini --',
      ],
    ],
  },
  'The health check requests /healthz at the ports with Node.': {
    accepted: [`FROM scratch\n${HEALTHY}`],
    refused: [
      [
        `FROM scratch AS a\n${HEALTHY}\nFROM scratch`,
        'HEALTHCHECK does not request http://127.0.0.1:8090/healthz with node',
      ],
      [
        'FROM scratch\nHEALTHCHECK CMD curl http://127.0.0.1:8090/healthz',
        'HEALTHCHECK does not request http://127.0.0.1:8090/healthz with node',
      ],
      [
        `FROM scratch\n${HEALTHY.replace('8090', '8080')}`,
        'HEALTHCHECK does not request http://127.0.0.1:8090/healthz with node',
      ],
    ],
  },
  'EXPOSE is the ports of the application.': {
    accepted: ['FROM scratch\nEXPOSE 8090'],
    refused: [
      ['FROM scratch', 'EXPOSE is "", not 8090'],
      ['FROM scratch\nEXPOSE 8080', 'EXPOSE is "8080", not 8090'],
      ['FROM scratch\nEXPOSE 8090 9464', 'EXPOSE is "8090 9464", not 8090'],
    ],
  },
  'The labels match the manifest.': {
    accepted: [
      `ARG A\n${LABELS.replace('FROM scratch', 'FROM scratch\nARG VERSION=1.2.3')}${VERSION}`,
    ],
    refused: [
      [
        `${LABELS.replace('FROM scratch', 'FROM scratch\nARG VERSION=1.2.4')}${VERSION}`,
        'org.opencontainers.image.version is not "1.2.3"',
      ],
      [
        `${LABELS.replace('0123abc', '').replace('weather"', 'wetter"')}${VERSION.replace('${VERSION}', '1.2.3')}`,
        'org.opencontainers.image.title is not "weather"',
        'org.opencontainers.image.revision is missing',
      ],
    ],
  },
  'No layer contains a package manager.': {
    accepted: [
      `${REMOVING} && rm -rf /usr/bin/dpkg* /usr/sbin/dpkg* /usr/lib/dpkg\nFROM scratch\nCOPY --from=system / /`,
    ],
    refused: [
      [
        `${REMOVING} && rm -rf /usr/bin/dpkg*\nFROM scratch\nCOPY --from=system / /`,
        '/usr/sbin/dpkg* stays',
        '/usr/lib/dpkg stays',
      ],
      [
        `${REMOVING} && rm -rf /usr/bin/dpkg* /usr/sbin/dpkg* /usr/lib/dpkg`,
        'the system is not copied from a stage into scratch',
      ],
    ],
  },
  'The final image sets PATH and NODE_ENV=production.': {
    accepted: ['FROM scratch\nENV PATH=/usr/local/bin:/bin \\\n    NODE_ENV=production'],
    refused: [['FROM scratch\nENV PATH=/bin', 'ENV has no PATH', 'ENV has no NODE_ENV=production']],
  },
};

describe.each(Object.entries(cases))('%s', (name, { accepted, refused, facts: own = facts }) => {
  const rule = name as ImageRuleName;
  it.each(accepted)('accepts %j', (dockerfile) => {
    expect(listImageProblems(dockerfile, own, [rule])).toEqual([]);
  });
  it.each(refused)('refuses %j', (dockerfile, ...problems) => {
    expect(listImageProblems(dockerfile, own, [rule])).toEqual(
      problems.map((problem) => `${name} ${problem}`),
    );
  });
});

it('The table of examples has every rule.', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(imageRules).sort());
});
