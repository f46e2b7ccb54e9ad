package formapi

import (
	"context"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Scenarios returns the file of a form's scenarios that the server keeps for the team, and its ETag. If there is none yet, the file has no
// scenarios.
func Scenarios(ctx context.Context, c *client.Client, id string) (file *schema.Object, etag string, err error) {
	file, res, err := c.Do(ctx, client.Request{Method: "GET", Path: scenariosOf(id)})
	if err != nil {
		return nil, "", err
	}
	return file, res.Header("ETag"), nil
}

// SaveScenarios replaces the file with the ETag, and returns the ETag of the new one. The status of the error is 412 if the server has
// another file by now, and 400 if the file has faults.
func SaveScenarios(ctx context.Context, c *client.Client, id string, file *schema.Object, etag string) (string, error) {
	_, res, err := c.Do(ctx, client.Request{
		Method: "PUT", Path: scenariosOf(id), Body: schema.Encode(file), Header: map[string]string{"If-Match": etag},
	})
	if err != nil {
		return "", err
	}
	return res.Header("ETag"), nil
}

func scenariosOf(id string) string { return address(id) + "/scenarios" }
