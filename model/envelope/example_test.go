package envelope_test

import (
	"fmt"

	"github.com/formgraph/formgraph/model/envelope"
)

func ExampleCanonical() {
	text, _ := envelope.Canonical([]byte(`{"start":{"coordinates":{"y":0,"x":1e2}},"name":"Sign-up"}`))
	fmt.Print(string(text))
	// Output:
	// {
	//   "name": "Sign-up",
	//   "start": {
	//     "coordinates": {
	//       "x": 100,
	//       "y": 0
	//     }
	//   }
	// }
}
