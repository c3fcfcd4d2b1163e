import { z } from 'zod';
import { forwardedList, texts } from './kubernetes.ts';

const HOST = /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

/** A duration of the Gateway API (GEP-2257), or nothing. */
const DURATION = /^$|^([0-9]{1,5}(h|m|s|ms)){1,4}$/u;

const host = z.string().min(1).max(253).regex(HOST);

const timeout = (description: string) =>
  z.string().regex(DURATION).default('0s').meta({ description });

export const ingress = z
  .strictObject({
    enabled: z.boolean().default(false).meta({ description: 'Whether to create an Ingress.' }),
    className: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Class of the Ingress. Unset: the default of the cluster.' }),
    labels: texts('Further labels of the Ingress.'),
    annotations: texts(
      'Annotations of the Ingress. docs/charts/gateway.md lists settings for streams.',
      { 'nginx.ingress.kubernetes.io/proxy-body-size': '4m' },
    ),
    hosts: z
      .array(z.strictObject({ host: host.meta({ description: 'Name of the host.' }) }))
      .default([])
      .meta({
        description:
          'Hosts of `/mcp`, and with `muster.http.publicUrl` of the paths for signing in. They are added to `muster.http.allowedHosts`.',
        examples: [[{ host: 'gateway.example.com' }]],
      }),
    pathType: z
      .enum(['Exact', 'Prefix', 'ImplementationSpecific'])
      .default('Exact')
      .meta({ description: 'Path type of `/mcp`.' }),
    tls: z
      .array(
        z.strictObject({
          secretName: z
            .string()
            .min(1)
            .optional()
            .meta({ description: 'Secret with the certificate.' }),
          hosts: z.array(host).default([]).meta({ description: 'Hosts of the certificate.' }),
        }),
      )
      .default([])
      .meta({
        description: 'Certificates of the hosts.',
        examples: [[{ secretName: 'gateway-tls', hosts: ['gateway.example.com'] }]],
      }),
  })
  .prefault({})
  .meta({ description: 'The Ingress.' });

/** The HTTPRoute of the Gateway API. */
export const httpRoute = z
  .strictObject({
    enabled: z.boolean().default(false).meta({ description: 'Whether to create an HTTPRoute.' }),
    labels: texts('Further labels of the HTTPRoute.'),
    annotations: texts('Annotations of the HTTPRoute.'),
    parentRefs: forwardedList('Gateways of the route.', [
      { name: 'public', namespace: 'gateways' },
    ]),
    hostnames: z
      .array(host)
      .max(16)
      .default([])
      .meta({
        description:
          'Hosts of `/mcp`, and with `muster.http.publicUrl` of the paths for signing in. They are added to `muster.http.allowedHosts`.',
        examples: [['gateway.example.com']],
      }),
    timeouts: z
      .strictObject({
        request: timeout(
          'Timeout of a request and its response. `0s`: no limit, as required for streams; empty: the default of the Gateway.',
        ),
        backendRequest: timeout('Timeout of one attempt at the gateway.'),
      })
      .prefault({})
      .meta({
        description: 'Timeouts of the route. The gateway limits calls itself and has open streams.',
      }),
    filters: forwardedList('Filters of the route.'),
    additionalRules: forwardedList('Additional rules, after the one for `/mcp`.'),
  })
  .prefault({})
  .meta({ description: 'The HTTPRoute (`gateway.networking.k8s.io/v1`).' });
