// Package deploytests checks the files for containers, Kubernetes and systemd in server/deploy. It is a separate module, so that the
// vendors' types with which it decodes them stay out of the product.
package deploytests
