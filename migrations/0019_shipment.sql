ALTER TABLE `orders` ADD `carrier` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_number` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_url` text
  CONSTRAINT "orders_tracking_url" CHECK("tracking_url" LIKE 'https://%')
  CONSTRAINT "orders_shipment" CHECK("state" = 'shipped' OR coalesce("carrier", "tracking_number", "tracking_url") IS NULL);--> statement-breakpoint
ALTER TABLE `orders` ADD `staff_note` text;
