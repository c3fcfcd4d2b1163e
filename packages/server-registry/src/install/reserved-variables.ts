/** Variables by which npx, uvx, docker and the loader of programs choose what they run. */
const RESERVED =
  /^(?:npm_config_.*|npm_package_.*|node_options|node_path|npx_.*|corepack_.*|uv_.*|pip_.*|virtual_env|python(?:path|home|startup|inspect|executable|usersite|userbase|breakpoint|platlibdir)|docker_.*|buildkit_.*|compose_.*|ld_.*|dyld_.*|path|pathext|comspec|home|userprofile|appdata|localappdata|xdg_.*|shell|bash_env|env|ifs|(?:https?|all|no)_proxy|ssl_cert_.*|node_extra_ca_certs|node_tls_reject_unauthorized|git_.*|ssh_.*|gconv_path|glibc_tunables|openssl_.*|perl5?(?:opt|lib|db)|ruby(?:opt|lib)|_?java_(?:tool_)?options|jdk_java_options)$/iu;

/** Returns whether a variable can change which program runs or where it comes from. A registry must not set it. */
export const isReservedVariable = (name: string): boolean => RESERVED.test(name);
