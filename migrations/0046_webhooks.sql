CREATE TABLE `webhook_deliveries` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_tried_at` integer,
	`tried_at` integer,
	`status` integer,
	`answer` text DEFAULT '' NOT NULL,
	`duration_ms` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_state" CHECK("webhook_deliveries"."state" IN ('waiting', 'held', 'delivered', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`due_at`,`sequence`) WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_order` ON `webhook_deliveries` (`endpoint_id`,`subject`,`sequence`) WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`events` text NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	CONSTRAINT "webhook_endpoints_state" CHECK("webhook_endpoints"."state" IN ('new', 'on', 'off')),
	CONSTRAINT "webhook_endpoints_url" CHECK(length("webhook_endpoints"."url") BETWEEN 1 AND 500)
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_on` ON `webhook_endpoints` (`state`) WHERE "webhook_endpoints"."state" = 'on';
--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_webhooks` AFTER INSERT ON `audit_log`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT replace(`event`.`type`, '.', '_') || '_' || NEW.`id`, `webhook_endpoints`.`id`, `event`.`type`, 'order:' || `orders`.`id`,
      json_object('type', `event`.`type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_patch(
        json_object('_id', `orders`.`id`, 'instrumentId', `orders`.`instrument_id`, 'productName', `product_name`,
          'orderQuantity', `quantity`, 'orderPrice', `total_cents` / 100.0, 'status', `orders`.`state`,
          'paid', json(iif(`transaction_id` IS NULL, 'false', 'true')), 'transactionId', `transaction_id`),
        CASE NEW.`event`
          -- A patch leaves out what is null.
          WHEN 'order shipped' THEN json_object('carrier', `carrier`, 'trackingNumber', `tracking_number`, 'trackingUrl', `tracking_url`)
          WHEN 'refund made' THEN json_object(
            'refundId', NEW.`about_id`,
            'refund', coalesce(
              (SELECT `amount_cents` FROM `order_refunds` WHERE `id` = NEW.`about_id`),
              (SELECT `amount_cents` FROM `refunds` WHERE `refunds`.`transaction_id` = NEW.`about_id`)) / 100.0,
            -- The column of the order may be written after this row.
            'refunded', (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds`
              WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL) / 100.0)
          ELSE '{}'
        END)),
      NEW.`at`
    FROM `orders` JOIN (
        SELECT CASE NEW.`event` WHEN 'refund made' THEN 'order.refunded' ELSE replace(NEW.`event`, ' ', '.') END AS `type`
      ) AS `event`
      JOIN `webhook_endpoints` ON `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || `event`.`type` || ' ')
    WHERE `orders`.`id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_enqueues_webhooks` AFTER UPDATE OF `name`, `family`, `brand`, `img`, `alt`, `pictures`, `description`, `attributes`,
  `price_cents`, `price_breaks`, `min_quantity`, `removed_at`, `hidden` ON `instruments`
WHEN (NEW.`name`, NEW.`family`, NEW.`brand`, NEW.`img`, NEW.`alt`, NEW.`pictures`, NEW.`description`, NEW.`attributes`,
    NEW.`price_cents`, NEW.`price_breaks`, NEW.`min_quantity`, NEW.`removed_at`, NEW.`hidden`)
  IS NOT (OLD.`name`, OLD.`family`, OLD.`brand`, OLD.`img`, OLD.`alt`, OLD.`pictures`, OLD.`description`, OLD.`attributes`,
    OLD.`price_cents`, OLD.`price_breaks`, OLD.`min_quantity`, OLD.`removed_at`, OLD.`hidden`)
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'product_changed_' || lower(hex(randomblob(16))), `webhook_endpoints`.`id`, 'product.changed', 'product:' || NEW.`id`,
      json_object('type', 'product.changed', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `now`.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_object('_id', NEW.`id`, 'name', NEW.`name`, 'price', NEW.`price_cents` / 100.0, 'minQuantity', NEW.`min_quantity`,
        'availableQuantity', NEW.`available_quantity`,
        'status', CASE WHEN NEW.`removed_at` IS NULL THEN 'on sale' WHEN NEW.`hidden` = 1 THEN 'hidden' ELSE 'deleted' END)),
      `now`.`at`
    FROM `webhook_endpoints` JOIN (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS `at`) AS `now`
    WHERE `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'product.changed' || ' ');
END;
--> statement-breakpoint
-- The newest row of the audit log is the one that moves the stock. Orders have events of their own.
CREATE TRIGGER `instruments_counted_enqueues_webhooks` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
  AND (SELECT `event` FROM `audit_log` ORDER BY `id` DESC LIMIT 1) = 'stock counted'
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'product_changed_' || lower(hex(randomblob(16))), `webhook_endpoints`.`id`, 'product.changed', 'product:' || NEW.`id`,
      json_object('type', 'product.changed', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `now`.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_object('_id', NEW.`id`, 'name', NEW.`name`, 'price', NEW.`price_cents` / 100.0, 'minQuantity', NEW.`min_quantity`,
        'availableQuantity', NEW.`available_quantity`,
        'status', CASE WHEN NEW.`removed_at` IS NULL THEN 'on sale' WHEN NEW.`hidden` = 1 THEN 'hidden' ELSE 'deleted' END)),
      `now`.`at`
    FROM `webhook_endpoints` JOIN (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS `at`) AS `now`
    WHERE `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'product.changed' || ' ');
END;
--> statement-breakpoint
-- A product that is added without stock: nothing moves.
CREATE TRIGGER `audit_log_enqueues_webhooks_of_new_products` AFTER INSERT ON `audit_log`
WHEN NEW.`event` = 'stock counted' AND NEW.`stock_delta` = 0 AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'product_changed_' || NEW.`id`, `webhook_endpoints`.`id`, 'product.changed', 'product:' || `product`.`id`,
      json_object('type', 'product.changed', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_object('_id', `product`.`id`, 'name', `product`.`name`, 'price', `product`.`price_cents` / 100.0, 'minQuantity', `product`.`min_quantity`,
        'availableQuantity', `product`.`available_quantity`,
        'status', CASE WHEN `product`.`removed_at` IS NULL THEN 'on sale' WHEN `product`.`hidden` = 1 THEN 'hidden' ELSE 'deleted' END)),
      NEW.`at`
    FROM `instruments` AS `product` JOIN `webhook_endpoints` ON `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'product.changed' || ' ')
    WHERE `product`.`id` = NEW.`instrument_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_low_stock_enqueues_webhooks` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN OLD.`available_quantity` > NEW.`low_stock_threshold` AND NEW.`available_quantity` <= NEW.`low_stock_threshold`
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'stock_low_' || lower(hex(randomblob(16))), `webhook_endpoints`.`id`, 'stock.low', 'product:' || NEW.`id`,
      json_object('type', 'stock.low', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `now`.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_object('_id', NEW.`id`, 'name', NEW.`name`, 'price', NEW.`price_cents` / 100.0, 'minQuantity', NEW.`min_quantity`,
        'availableQuantity', NEW.`available_quantity`,
        'status', CASE WHEN NEW.`removed_at` IS NULL THEN 'on sale' WHEN NEW.`hidden` = 1 THEN 'hidden' ELSE 'deleted' END, 'lowStock', NEW.`low_stock_threshold`)),
      `now`.`at`
    FROM `webhook_endpoints` JOIN (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS `at`) AS `now`
    WHERE `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'stock.low' || ' ');
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_enqueue_webhooks` AFTER INSERT ON `reviews`
WHEN EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'review_written_' || NEW.`id`, `webhook_endpoints`.`id`, 'review.written', 'review:' || NEW.`id`,
      json_object('type', 'review.written', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`created_at` / 1000.0, 'unixepoch'), 'version', 1, 'data',
        json_object('_id', NEW.`id`, 'description', NEW.`description`, 'instrumentId', NEW.`instrument_id`, 'rating', NEW.`rating`)),
      NEW.`created_at`
    FROM `webhook_endpoints` WHERE `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'review.written' || ' ');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_hold_their_deliveries` AFTER UPDATE OF `state` ON `webhook_endpoints`
WHEN OLD.`state` = 'on' AND NEW.`state` <> 'on'
BEGIN
  UPDATE `webhook_deliveries` SET `state` = 'held' WHERE `endpoint_id` = NEW.`id` AND `state` = 'waiting';
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_release_their_deliveries` AFTER UPDATE OF `state` ON `webhook_endpoints`
WHEN OLD.`state` <> 'on' AND NEW.`state` = 'on'
BEGIN
  UPDATE `webhook_deliveries` SET `state` = 'waiting', `due_at` = 0, `first_tried_at` = NULL
    WHERE `endpoint_id` = NEW.`id` AND `state` = 'held';
END;
