use std::collections::HashMap;

use http::{HeaderName, HeaderValue};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("GATEWAY_URL").unwrap_or("http://127.0.0.1:8090/mcp".into());
    let toolset = HeaderValue::from_static("server:everything");
    let headers = HashMap::from([(HeaderName::from_static("x-gateway-toolset"), toolset)]);
    let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(headers);
    let gateway = ().serve(StreamableHttpClientTransport::from_config(config)).await?;
    let arguments = json!({ "name": "x_everything_echo", "arguments": { "message": "hello" } });
    let call = CallToolRequestParams::new("call_tool")
        .with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let result = gateway.call_tool(call).await?;
    println!("{}", result.content[0].as_text().ok_or("no text")?.text);
    gateway.cancel().await?;
    Ok(())
}
