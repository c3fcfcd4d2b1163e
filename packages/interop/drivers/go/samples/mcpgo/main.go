package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	ctx := context.Background()
	gateway, err := client.NewStreamableHttpClient(
		cmp.Or(os.Getenv("GATEWAY_URL"), "http://127.0.0.1:8090/mcp"),
		transport.WithHTTPHeaders(map[string]string{"X-Gateway-Toolset": "server:everything"}),
	)
	if err != nil {
		panic(err)
	}
	defer gateway.Close()
	if err := gateway.Start(ctx); err != nil {
		panic(err)
	}
	initialize := mcp.InitializeRequest{}
	initialize.Params.ClientInfo = mcp.Implementation{Name: "example", Version: "1.0.0"}
	if _, err := gateway.Initialize(ctx, initialize); err != nil {
		panic(err)
	}
	call := mcp.CallToolRequest{}
	call.Params.Name = "call_tool"
	call.Params.Arguments = map[string]any{
		"name":      "x_everything_echo",
		"arguments": map[string]any{"message": "hello"},
	}
	result, err := gateway.CallTool(ctx, call)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Content[0].(mcp.TextContent).Text)
}
