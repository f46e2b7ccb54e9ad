// Package live keeps the forms that people edit together before anybody saves them. Each has a room, with its numbered changes and who has
// it open. What clients do with the changes is in model/live. Replicas share the rooms through the store, which takes each number once, so
// none of them leads.
package live
